"""Neural encoder: MiniLM in onnxruntime. All networks are run from this module.

Tokens are split into word pieces. The encoder is uncased, so each piece also has the letter shape
of its token, which distinguishes "US" from "us" and a Title-Cased Headline from prose. An input
is one sentence, or two sentences encoded together.

The output for an input is the same whatever else is in the batch: all inputs of a batch have the
same padded width, which depends only on the input's own length, and the 8-bit quantisation scales
every row separately. So results do not depend on the batch size, the order of inputs or the number
of threads.

The word piece embeddings are frozen in training: all networks share one table, the model ``words``,
and get its rows as input.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ists.arrays import Floats
from ists.errors import ModelError
from ists.models import Model, open_model, stored_arrays
from ists.word_pieces import UNKNOWN, Vocabulary

if TYPE_CHECKING:
    import onnxruntime as ort

LONGEST = 512
"""Maximum number of word pieces in an input, including the special ones."""
WORDS = "words"
"""Name and kind of the shared model of word piece embeddings."""

_BEGIN, _END = 101, 102
_WIDTH_STEP = 4
_MOST_CELLS = 384
"""Word pieces of a batch, padding included: more take more memory and no less time each."""
_CACHED_WORDS = 1 << 16
_MOST_PIECES = 24
"""Maximum number of pieces per token, so that a long URL does not use up the whole input."""
_TITLED_SHARE = 0.6
_BY_PIECE = 3
"""Number of axes of an output with a row for each piece: input, piece, hidden state."""

SHAPES = (
    "special",
    "lower",
    "Title",
    "UPPER",
    "Letter",
    "miXed",
    "number",
    "alnum",
    "sign",
    "other",
)


class EncoderInput(NamedTuple):
    """One network input: ids of the word pieces, their shapes and segments, token positions."""

    pieces: list[int]
    shapes: list[int]
    segments: list[int]
    first_piece: list[int]
    """For each token, the position of its first piece."""
    before: list[int]
    """For each token, the position of the previous token's first piece, or of the special piece."""


@lru_cache(maxsize=_CACHED_WORDS)
def shape_of(token: str) -> int:
    """Return the letter shape of a token, as an index into `SHAPES`."""
    letters = [sign for sign in token if sign.isalpha()]
    has_digit = any(sign.isdigit() for sign in token)
    if not letters:
        name = "number" if has_digit else "sign" if token.isascii() else "other"
    elif has_digit:
        name = "alnum"
    elif all(letter.islower() for letter in letters):
        name = "lower"
    elif len(letters) == 1:
        name = "Letter"
    elif all(letter.isupper() for letter in letters):
        name = "UPPER"
    elif letters[0].isupper() and not any(letter.isupper() for letter in letters[1:]):
        name = "Title"
    else:
        name = "miXed"
    return SHAPES.index(name)


def shapes_of(tokens: Sequence[str]) -> list[int]:
    """Return the shapes of a sentence's tokens; mostly capitalised sentences use a second set.

    In such sentences capitals carry no information about the single word.
    """
    shapes = [shape_of(token) for token in tokens]
    later = [SHAPES[shape] for shape in shapes[1:]]
    words = [name for name in later if name in ("lower", "Title", "UPPER", "miXed")]
    capitalised = sum(name != "lower" for name in words)
    titled = len(words) >= 2 and capitalised > _TITLED_SHARE * len(words)
    return [shape + titled * len(SHAPES) for shape in shapes]


class WordPieces:
    """Word piece tokenizer with a cache."""

    def __init__(self, file: Path) -> None:
        self._vocabulary = Vocabulary(file)
        self._known: dict[str, list[int]] = {}

    def of(self, token: str) -> list[int]:
        """Return the piece ids of one token, at least one."""
        pieces = self._known.get(token)
        if pieces is None:
            # Invalid UTF-8 arrives as lone surrogates, which are read as question marks.
            text = token.encode("utf-8", "replace").decode()
            pieces = self._vocabulary.pieces(text)[:_MOST_PIECES] or [UNKNOWN]
            if len(self._known) >= _CACHED_WORDS:
                self._known.clear()
            self._known[token] = pieces
        return pieces

    def count(self, *sentences: Sequence[str]) -> int:
        """Return the number of pieces of an input of these sentences, including special ones."""
        return 1 + sum(1 + sum(len(self.of(token)) for token in tokens) for tokens in sentences)

    def encode(self, *sentences: Sequence[str]) -> EncoderInput:
        """Build the network input for one sentence, or for two encoded together."""
        encoded = EncoderInput([_BEGIN], [0], [0], [], [])
        for side, tokens in enumerate(sentences):
            last = len(encoded.pieces) - 1
            for token, shape in zip(tokens, shapes_of(tokens), strict=True):
                encoded.first_piece.append(len(encoded.pieces))
                encoded.before.append(last)
                last = len(encoded.pieces)
                pieces = self.of(token)
                encoded.pieces.extend(pieces)
                encoded.shapes.extend([shape] * len(pieces))
                encoded.segments.extend([side] * len(pieces))
            encoded.pieces.append(_END)
            encoded.shapes.append(0)
            encoded.segments.append(side)
        return encoded


class Words(WordPieces):
    """Word piece tokenizer with embeddings, shared by all networks."""

    def __init__(self, model: Model) -> None:
        super().__init__(model.file("tokenizer.json"))
        self._model = model

    def vectors(self, pieces: NDArray[np.int64]) -> Floats:
        """Return the embeddings of word pieces, along a new last axis."""
        whole, scales = self._table
        vectors: Floats = np.take(whole, pieces, axis=0) * scales[pieces]
        return vectors

    def belong_to(self, network: Model) -> bool:
        """Return whether a network was trained with these embeddings, by the hashes in its card."""
        return bool(network.card.get(WORDS) == self._model.card["files"])

    @cached_property
    def _table(self) -> tuple[NDArray[np.int8], Floats]:
        """The embeddings in 8 bits, and a scale for each."""
        file = self._model.file("words.npz")
        stored = stored_arrays(file, "the words")
        try:
            return stored["vectors"].astype(np.int8), stored["scales"].astype(np.float32)
        except (KeyError, ValueError) as error:
            raise ModelError(f"{file}: not a table of words: {error}") from None


def words_of(network: Model) -> Words:
    """Return the shipped words; raise a `ModelError` if a network was trained with others."""
    words = _shipped_words()
    if not words.belong_to(network):
        raise ModelError(
            f"{network.folder}: was trained with other words than those of this installation: "
            "expected a model trained with this version of ists"
        )
    return words


@cache
def _shipped_words() -> Words:
    """Load and verify the shipped words once per process."""
    return Words(open_model(WORDS, WORDS))


class Network:
    """An ONNX network; callers name the outputs they need.

    It is opened in a thread of its own while the caller loads other files: onnxruntime releases the
    interpreter lock meanwhile. If that fails, `run` raises the error.
    """

    def __init__(self, file: Path, words: Words, threads: int = 0) -> None:
        self._file = file
        self._words = words
        self._threads = threads
        thread = ThreadPoolExecutor(1)
        self._session = thread.submit(self._open)
        thread.shutdown(wait=False)

    def run(
        self, inputs: Sequence[EncoderInput], outputs: Sequence[str], batch_size: int
    ) -> list[list[Floats]]:
        """Return each input's part of each output: one row per token or per word piece."""
        found: list[list[Floats]] = [[] for _ in inputs]
        for width, members in batches(inputs, batch_size):
            batch = feed([inputs[i] for i in members], width, self._words)
            rows = self._run_batch(list(outputs), batch)
            end = 0
            for place, member in enumerate(members):
                encoded = inputs[member]
                begin, end = end, end + len(encoded.first_piece)
                pieces = len(encoded.pieces)
                found[member] = [
                    output[place, :pieces] if output.ndim == _BY_PIECE else output[begin:end]
                    for output in rows
                ]
        return found

    def _run_batch(self, outputs: list[str], batch: dict[str, NDArray[np.generic]]) -> list[Floats]:
        try:
            session = self._session.result()
            inputs = {one.name: batch[one.name] for one in session.get_inputs()}
            results: list[Floats] = session.run(outputs, inputs)
        except Exception as error:  # onnxruntime raises many classes
            if isinstance(error, ModelError):
                raise
            reason = str(error).splitlines()[0][:100]
            raise ModelError(f"{self._file}: the network failed: {reason}") from None
        return results

    def _open(self) -> "ort.InferenceSession":
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        # Patterns take memory for the sizes of all batches, and save no time.
        options.enable_mem_pattern = False
        # Otherwise idle threads of the network keep the cores busy that labelling needs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            return ort.InferenceSession(
                str(self._file), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime raises many classes, and plain Exception
            reason = str(error).splitlines()[0]
            raise ModelError(f"{self._file}: not a network: {reason}") from None


def batches(inputs: Sequence[EncoderInput], size: int) -> Iterator[tuple[int, list[int]]]:
    """Yield the padded width and the input indices of each batch, of at most `size` inputs."""
    by_width: dict[int, list[int]] = {}
    for number, encoded in enumerate(inputs):
        width = -(-len(encoded.pieces) // _WIDTH_STEP) * _WIDTH_STEP
        by_width.setdefault(width, []).append(number)
    for width, numbers in sorted(by_width.items()):
        most = max(1, min(size, _MOST_CELLS // width))
        count = -(-len(numbers) // most)
        even = -(-len(numbers) // count)
        for begin in range(0, len(numbers), even):
            yield width, numbers[begin : begin + even]


def feed(
    inputs: Sequence[EncoderInput], width: int, words: Words
) -> dict[str, NDArray[np.generic]]:
    """Build the input arrays of a batch, with embeddings instead of word pieces."""
    batch = padded(inputs, width)
    pieces = batch.pop("pieces")
    return {WORDS: words.vectors(pieces), **batch}


def padded(inputs: Sequence[EncoderInput], width: int) -> dict[str, NDArray[Any]]:
    """Build the arrays of a batch of inputs, padded to a width."""
    batch: dict[str, NDArray[Any]] = {}
    for name in ("pieces", "shapes", "segments"):
        rows = np.zeros((len(inputs), width), np.int64)
        for row, encoded in zip(rows, inputs, strict=True):
            values = getattr(encoded, name)
            row[: len(values)] = values
        batch[name] = rows
    batch["lengths"] = np.array([len(encoded.pieces) for encoded in inputs], np.int32)
    # The graph's own input names.
    for name, field in (("here", "first_piece"), ("before", "before")):
        positions = [row * width + p for row, one in enumerate(inputs) for p in getattr(one, field)]
        batch[name] = np.array(positions, np.int64)
    return batch
