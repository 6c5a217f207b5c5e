"""The sentence pairs that models were trained on, so that a benchmark can mark them.

A model's folder lists them in ``seen.txt``: for each pair the first 8 bytes of a hash of its text.
Only the letters and digits of both sentences count, in either order, so a pair is recognised with
other white space, tokenisation, case or encoding. The sentences cannot be recovered from the list.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from operator import or_
from pathlib import Path

from ists.errors import ModelError
from ists.models import Model, sha256_of

SEEN = "seen.txt"
_DIGITS = 16
_FINGERPRINT = re.compile(f"[0-9a-f]{{{_DIGITS}}}")
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")

Texts = tuple[str, str]


@dataclass(frozen=True)
class Seen:
    """The training data of one or more models."""

    pairs: frozenset[str] = frozenset()
    """Fingerprints of the training pairs."""
    files: frozenset[str] = frozenset()
    """SHA-256 of the training files."""
    lists_pairs: bool = True
    """False for a model of an earlier version: only identical files are recognised."""

    @classmethod
    def by(cls, *models: Model) -> "Seen":
        """Return the training data that is listed in the folders of these models."""
        return reduce(or_, map(_seen_by, models), cls())

    def __or__(self, other: "Seen") -> "Seen":
        return Seen(
            self.pairs | other.pairs,
            self.files | other.files,
            self.lists_pairs and other.lists_pairs,
        )

    def count(self, pairs: Collection[Texts], files: Iterable[Path] = ()) -> int:
        """Return how many of these pairs, read from these files, are training data."""
        if any(sha256_of(file) in self.files for file in files):
            return len(pairs)
        return sum(fingerprint(*pair) in self.pairs for pair in pairs)


def fingerprint(sentence1: str, sentence2: str) -> str:
    """Return a hash of a pair in 16 hexadecimal digits; the order of sentences does not matter."""
    text = "\n".join(sorted(map(_letters_and_digits, (sentence1, sentence2))))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def write_seen(folder: Path, pairs: Iterable[Texts], others: Collection[str] = ()) -> str:
    """Write the list of a model's training pairs to its folder; return the file's name.

    ``others``: fingerprints of other pairs, such as those of a pre-training.
    """
    _write(folder, {fingerprint(*pair) for pair in pairs} | set(others))
    return SEEN


def extend_seen(folder: Path, pairs: Iterable[Texts]) -> None:
    """Add pairs to the list of the pairs that a model was trained on."""
    known = set((folder / SEEN).read_text(encoding="ascii").split())
    _write(folder, known | {fingerprint(*pair) for pair in pairs})


def _write(folder: Path, fingerprints: set[str]) -> None:
    lines = "".join(f"{line}\n" for line in sorted(fingerprints))
    (folder / SEEN).write_text(lines, encoding="ascii")


def _seen_by(model: Model) -> Seen:
    files = frozenset(model.card.get("training", {}).get("files", {}).values())
    if SEEN not in model.card["files"]:
        return Seen(files=files, lists_pairs=False)
    lines = model.file(SEEN).read_text(encoding="ascii", errors="replace").split()
    if not all(map(_FINGERPRINT.fullmatch, lines)):
        raise ModelError(f"{model.file(SEEN)}: expected {_DIGITS} hexadecimal digits per line")
    return Seen(frozenset(lines), files)


def _letters_and_digits(sentence: str) -> str:
    # A byte that is not UTF-8 is taken for Latin-1, the usual other encoding of these data sets.
    text = _ESCAPED_BYTE.sub(lambda found: chr(ord(found[0]) - 0xDC00), sentence)
    text = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in text if sign.isalnum())
    return bare or "".join(text.split())  # a sentence of punctuation alone is a sentence too
