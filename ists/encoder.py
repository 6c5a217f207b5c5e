"""The one place where the neural network runs: MiniLM by onnxruntime.

Tokens become word pieces. The encoder is uncased, so each piece also carries its token's letter
shape: a Title-Cased Headline is no prose, and "US" is not "us". A unit of reading is one sentence
or two sentences read together.

The same unit gives the same numbers in any company: batches hold units of one padded width, which
depends on the unit's own length alone, and the network's 8-bit arithmetic scales every row by
itself. What a pair gets does not depend on the batch size, the order or the number of threads.

No training changes the vectors of the word pieces: all networks share one table, the model
``words``, and are fed with its rows.
"""

from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ists.errors import ModelError
from ists.models import Model, open_model, stored_arrays

if TYPE_CHECKING:
    import onnxruntime as ort
    from tokenizers import Tokenizer

LONGEST = 512
"""Word pieces the network can read at once, the special ones included."""
WORDS = "words"
"""The shared words' name, and their kind."""

_BEGIN, _END, _UNKNOWN = 101, 102, 100
_WIDTH_STEP = 4
_CACHED_WORDS = 1 << 16
_MOST_PIECES = 24
"""Of one token: a web address of a thousand signs must not crowd out the sentence around it."""
_TITLED_SHARE = 0.6
_BY_PIECE = 3
"""Axes of an output that has a row for each piece: unit, piece, hidden state."""

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


class Unit(NamedTuple):
    """What the network reads at once, as numbers."""

    pieces: list[int]
    shapes: list[int]
    segments: list[int]
    here: list[int]
    """The position of each token's first piece."""
    before: list[int]
    """The position of the first piece of the token before, or of the special piece."""


@lru_cache(maxsize=_CACHED_WORDS)
def shape_of(token: str) -> int:
    """The letter shape of a token, as an index into `SHAPES`."""
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
    """The shapes of a sentence's tokens; a second set stands for sentences mostly capitalised.

    There a capital tells nothing of the word, and the network should know that.
    """
    shapes = [shape_of(token) for token in tokens]
    later = [SHAPES[shape] for shape in shapes[1:]]
    words = [name for name in later if name in ("lower", "Title", "UPPER", "miXed")]
    capitalised = sum(name != "lower" for name in words)
    titled = len(words) >= 2 and capitalised > _TITLED_SHARE * len(words)
    return [shape + titled * len(SHAPES) for shape in shapes]


class WordPieces:
    """Tokens as the network's vocabulary spells them."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, list[int]] = {}

    def of(self, token: str) -> list[int]:
        """The pieces of one token, at least one."""
        pieces = self._known.get(token)
        if pieces is None:
            # Bytes that are no UTF-8 arrive as lone surrogates, which are no text for others.
            text = token.encode("utf-8", "replace").decode()
            pieces = self._tokenizer.encode(text, add_special_tokens=False).ids[:_MOST_PIECES]
            pieces = pieces or [_UNKNOWN]
            if len(self._known) >= _CACHED_WORDS:
                self._known.clear()
            self._known[token] = pieces
        return pieces

    def count(self, *sentences: Sequence[str]) -> int:
        """The pieces of the unit these sentences would be, the special ones included."""
        return 1 + sum(1 + sum(len(self.of(token)) for token in tokens) for tokens in sentences)

    def unit(self, *sentences: Sequence[str]) -> Unit:
        """One sentence, or two read together, ready for the network."""
        unit = Unit([_BEGIN], [0], [0], [], [])
        for side, tokens in enumerate(sentences):
            last = len(unit.pieces) - 1
            for token, shape in zip(tokens, shapes_of(tokens), strict=True):
                unit.here.append(len(unit.pieces))
                unit.before.append(last)
                last = len(unit.pieces)
                pieces = self.of(token)
                unit.pieces.extend(pieces)
                unit.shapes.extend([shape] * len(pieces))
                unit.segments.extend([side] * len(pieces))
            unit.pieces.append(_END)
            unit.shapes.append(0)
            unit.segments.append(side)
        return unit

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self._file))
        except Exception as error:  # the library raises the bare class
            raise ModelError(f"{self._file}: no tokenizer: {error}") from None
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer


class Words(WordPieces):
    """Word pieces with their vectors, as every network takes them."""

    def __init__(self, model: Model) -> None:
        super().__init__(model.file("tokenizer.json"))
        self._model = model

    def vectors(self, pieces: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of word pieces, along a new last axis."""
        whole, scales = self._table
        vectors: NDArray[np.float32] = np.take(whole, pieces, axis=0) * scales[pieces]
        return vectors

    def were_known_to(self, network: Model) -> bool:
        """Whether a network was trained with these very words: its card has their hashes."""
        return bool(network.card.get(WORDS) == self._model.card["files"])

    @cached_property
    def _table(self) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        """Vectors in 8 bits, and a scale for each."""
        file = self._model.file("words.npz")
        stored = stored_arrays(file, "the words")
        try:
            return stored["vectors"].astype(np.int8), stored["scales"].astype(np.float32)
        except (KeyError, ValueError) as error:
            raise ModelError(f"{file}: are no words: {error}") from None


def words_of(network: Model) -> Words:
    """The shipped words, if they are those that a network was trained with."""
    words = _shipped_words()
    if not words.were_known_to(network):
        raise ModelError(
            f"{network.folder}: was trained with other words than those of this installation: "
            "expected a model trained with this version of ists"
        )
    return words


@cache
def _shipped_words() -> Words:
    """Verified once in a process, whatever the number of networks."""
    return Words(open_model(WORDS, WORDS))


class Network:
    """An ONNX file and the units it reads; heads and their outputs are the model's own affair."""

    def __init__(self, file: Path, words: Words, threads: int = 0) -> None:
        self._file = file
        self._words = words
        self._threads = threads

    def run(
        self, units: Sequence[Unit], outputs: Sequence[str], batch_size: int
    ) -> list[list[NDArray[np.float32]]]:
        """For each unit, its part of each output: one row a token, or one a word piece."""
        found: list[list[NDArray[np.float32]]] = [[] for _ in units]
        for width, members in batches(units, batch_size):
            batch = feed([units[i] for i in members], width, self._words)
            rows = self._answers(list(outputs), batch)
            end = 0
            for place, member in enumerate(members):
                unit = units[member]
                begin, end = end, end + len(unit.here)
                pieces = len(unit.pieces)
                found[member] = [
                    output[place, :pieces] if output.ndim == _BY_PIECE else output[begin:end]
                    for output in rows
                ]
        return found

    def _answers(
        self, outputs: list[str], batch: dict[str, NDArray[np.generic]]
    ) -> list[NDArray[np.float32]]:
        try:
            asked = {one.name: batch[one.name] for one in self._session.get_inputs()}
            answers: list[NDArray[np.float32]] = self._session.run(outputs, asked)
        except Exception as error:  # as above, onnxruntime has classes of its own
            if isinstance(error, ModelError):
                raise
            reason = str(error).splitlines()[0][:100]
            raise ModelError(f"{self._file}: the network does not answer: {reason}") from None
        return answers

    @cached_property
    def _session(self) -> "ort.InferenceSession":
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        try:
            return ort.InferenceSession(
                str(self._file), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has many classes of its own, and bare ones
            reason = str(error).splitlines()[0]
            raise ModelError(f"{self._file}: no network: {reason}") from None


def batches(units: Sequence[Unit], size: int) -> Iterator[tuple[int, list[int]]]:
    """Padded width and the numbers of the units in a batch."""
    by_width: dict[int, list[int]] = {}
    for number, unit in enumerate(units):
        width = -(-len(unit.pieces) // _WIDTH_STEP) * _WIDTH_STEP
        by_width.setdefault(width, []).append(number)
    for width, numbers in sorted(by_width.items()):
        for begin in range(0, len(numbers), size):
            yield width, numbers[begin : begin + size]


def feed(units: Sequence[Unit], width: int, words: Words) -> dict[str, NDArray[np.generic]]:
    """A batch as the network takes it, with the vectors of the word pieces."""
    batch = padded(units, width)
    pieces = batch.pop("pieces")
    return {WORDS: words.vectors(pieces), **batch}


def padded(units: Sequence[Unit], width: int) -> dict[str, NDArray[Any]]:
    """A batch of units, padded to a width."""
    batch: dict[str, NDArray[Any]] = {}
    for name in ("pieces", "shapes", "segments"):
        rows = np.zeros((len(units), width), np.int64)
        for row, unit in zip(rows, units, strict=True):
            values = getattr(unit, name)
            row[: len(values)] = values
        batch[name] = rows
    batch["lengths"] = np.array([len(unit.pieces) for unit in units], np.int32)
    for name in ("here", "before"):
        positions = [row * width + p for row, unit in enumerate(units) for p in getattr(unit, name)]
        batch[name] = np.array(positions, np.int64)
    return batch
