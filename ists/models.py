"""Model folders: the files of a model, and ``model.json`` with its metadata and file hashes.

``model.json`` (the card) has the kind of model, the base model and its licence, the training files
with their hashes, seeds, versions and figures, and the sha256 of every file. A model whose files do
not match their hashes is not loaded; nothing is ever unpickled.
"""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ists.errors import ModelError
from ists.resources import models_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CARD = "model.json"
FORMAT = 1
_CARD_HASH = "seal"
"""Key of the card's own hash, which detects changes to the card, such as another threshold."""


@dataclass(frozen=True)
class Model:
    """A model folder; `open_model` verifies its files."""

    folder: Path
    card: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The model's name in its card."""
        return str(self.card["name"])

    def file(self, name: str) -> Path:
        """Return the path of one of the model's files."""
        if name not in self.card["files"]:
            raise ModelError(f"{self.folder}: the model has no file '{name}'")
        return self.folder / name


def shipped(kind: str | None = None) -> list[str]:
    """Return the names of the models shipped with this installation, or those of one kind."""
    try:
        folders = models_path()
    except ModelError:
        return []
    names = {card.parent.name for card in folders.glob(f"*/{CARD}")}
    if kind is not None:
        names = {name for name in names if _kind(folders / name) == kind}
    return sorted(names)


def _kind(folder: Path) -> object:
    try:
        return read_card(folder).get("kind")
    except ModelError:
        return None


def open_model(name: str, kind: str) -> Model:
    """Open a shipped model by name, or any model by folder, and verify its files."""
    model = find_model(name, kind)
    hashes = model.card["files"]
    with ThreadPoolExecutor() as threads:  # hashing releases the interpreter lock
        for _ in threads.map(lambda file: _verify(model.folder / file, hashes[file]), hashes):
            pass
    return model


def find_model(name: str, kind: str) -> Model:
    """Return a shipped model by name, or any model by folder, without verifying its files."""
    folder = Path(name)
    if not (folder / CARD).is_file():
        if name not in shipped():
            known = ", ".join(shipped(kind)) or "none"
            raise ModelError(f"no model '{name}': expected a folder with {CARD} or one of: {known}")
        folder = models_path(name)
    card = read_card(folder)
    if card.get("kind") != kind:
        raise ModelError(f"{folder}: a model of kind '{card.get('kind')}', expected '{kind}'")
    return Model(folder, card)


def write_card(folder: Path, card: Mapping[str, Any], files: list[str]) -> None:
    """Write ``model.json`` for the files of a folder, with their hashes."""
    hashes = {name: sha256_of(folder / name) for name in sorted(files)}
    signed = {"format": FORMAT, **card, "files": hashes}
    signed[_CARD_HASH] = _card_hash(signed)
    text = json.dumps(signed, indent=2, ensure_ascii=False)
    (folder / CARD).write_text(text + "\n", encoding="utf-8")


def _card_hash(card: Mapping[str, Any]) -> str:
    """Return the hash of a card's content without the hash itself."""
    content = {key: value for key, value in card.items() if key != _CARD_HASH}
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def read_card(folder: Path) -> dict[str, Any]:
    """Read and validate the ``model.json`` of a folder."""
    file = folder / CARD
    try:
        card = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{file}: cannot be read: {error}") from None
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise ModelError(f"{file}: not a model card of format {FORMAT}")
    files = card.get("files")
    if not isinstance(files, dict) or not all(
        isinstance(name, str) and name == Path(name).name and isinstance(digest, str)
        for name, digest in files.items()
    ):
        raise ModelError(f"{file}: its list of files is invalid")
    if _CARD_HASH in card and card[_CARD_HASH] != _card_hash(card):
        raise ModelError(f"{file}: is damaged or was changed by hand, its hash does not match")
    return card


def _verify(file: Path, expected: str) -> None:
    try:
        actual = sha256_of(file)
    except OSError:
        raise ModelError(f"{file}: a file of the model is missing") from None
    if actual != expected:
        raise ModelError(f"{file}: is damaged or replaced, its sha256 differs from {CARD}")


def stored_arrays(file: Path, what: str) -> "dict[str, NDArray[np.generic]]":
    """Load the named arrays of an ``.npz`` file; raise a `ModelError` if it cannot be read."""
    import numpy as np

    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except Exception as error:  # zip, zlib, struct and numpy raise many classes
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "damaged"
        raise ModelError(f"{file}: {what} cannot be read: {reason.lower()}") from None


def sha256_of(file: Path) -> str:
    """Return the sha256 of a file in hexadecimal."""
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
