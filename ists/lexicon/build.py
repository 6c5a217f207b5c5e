"""Build the shipped word table from a WordNet ``dict`` folder.

Run as ``python -m ists.lexicon.build DICT_DIR OUT_FILE`` (``make lexicon`` does). The folder is
Debian's ``/usr/share/wordnet`` (package ``wordnet-base``) or the ``dict`` of any WordNet 3.x
download. The files are read directly, in the formats of wndb(5WN) and cntlist(5WN), which needs
less code than using a library, and no dependency. WordNet's licence, at the head of every data
file, is written beside the table as ``LICENSE-WordNet``.
"""

import hashlib
import re
import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from ists.errors import FormatError, IstsError
from ists.files import atomic_output
from ists.lexicon.table import (
    LEXICOGRAPHER_FILES,
    SenseEdge,
    SynsetEdge,
    WordTable,
    write_table,
)

_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}  # in order of our synset numbers
_SYNSET_POINTERS = {
    "@": SynsetEdge.HYPERNYM,
    "@i": SynsetEdge.INSTANCE_HYPERNYM,
    "#m": SynsetEdge.HOLONYM,
    "#s": SynsetEdge.HOLONYM,
    "#p": SynsetEdge.HOLONYM,
    "&": SynsetEdge.SIMILAR,
    "$": SynsetEdge.VERB_GROUP,
    "*": SynsetEdge.ENTAILMENT,
    ">": SynsetEdge.CAUSE,
    "=": SynsetEdge.ATTRIBUTE,
    "^": SynsetEdge.SEE_ALSO,
    "!": SynsetEdge.ANTONYM,
}
_SENSE_POINTERS = {
    "!": SenseEdge.ANTONYM,
    "+": SenseEdge.DERIVATION,
    "<": SenseEdge.DERIVATION,
    "\\": SenseEdge.PERTAINYM,
}
_SENSE_KEY_TYPES = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
_MAX_COUNT = 0xFFFF

_Address = tuple[str, int]  # part of speech (satellites count as adjectives) and byte offset


@dataclass(frozen=True, slots=True)
class _Pointer:
    symbol: str
    target: _Address
    source_word: int  # 1-based; 0 means a pointer between whole synsets
    target_word: int


@dataclass(frozen=True, slots=True)
class _Synset:
    type: str  # n, v, a, r, or s for a satellite: an adjective in the cluster of a head adjective
    lexicographer_file: int
    words: tuple[str, ...]
    lexical_ids: tuple[int, ...]
    pointers: tuple[_Pointer, ...]


@dataclass(frozen=True, slots=True)
class _IndexEntry:
    word: str
    pos: str
    synsets: tuple[_Address, ...]  # most frequent sense first


def build(dict_folder: str | Path, out: str | Path) -> WordTable:
    """Read a WordNet ``dict`` folder, write its table and licence, and return the table."""
    table = compile_table(dict_folder)
    licence = Path(out).with_name("LICENSE-WordNet")
    write_table(table, out)
    with atomic_output(licence) as stream:
        stream.write(_licence(Path(dict_folder)).encode())
    return table


def compile_table(dict_folder: str | Path) -> WordTable:
    """Read a WordNet ``dict`` folder into the columns of a `WordTable`."""
    folder = Path(dict_folder)
    if not folder.is_dir():
        raise FormatError("no such folder, expected WordNet's dict folder", str(folder))
    synsets = {address: synset for pos in _FILES for address, synset in _read_data(folder, pos)}
    entries = sorted(
        (entry for pos in _FILES for entry in _read_index(folder, pos)),
        key=lambda entry: (entry.word, "nvar".index(entry.pos)),
    )
    counts = _read_counts(folder)
    return _assemble(synsets, entries, counts, _read_exceptions(folder), _source(folder))


def _assemble(
    synsets: dict[_Address, _Synset],
    entries: Sequence[_IndexEntry],
    counts: dict[str, int],
    exceptions: dict[str, dict[str, tuple[str, ...]]],
    source: dict[str, object],
) -> WordTable:
    number = {address: at for at, address in enumerate(synsets)}
    words = sorted({entry.word for entry in entries})
    sense_synset = array("I")
    sense_count = array("H")
    sense_of: dict[tuple[int, str], int] = {}
    senses_per_word: dict[str, int] = defaultdict(int)
    for entry in entries:
        for address in entry.synsets:
            if address not in number:
                where = f"index.{_FILES[entry.pos]}"
                raise FormatError(f"'{entry.word}' points to a missing synset {address}", where)
            sense_of[number[address], entry.word] = len(sense_synset)
            sense_synset.append(number[address])
            key = _sense_key(entry.word, synsets[address], synsets)
            sense_count.append(min(counts.get(key, 0), _MAX_COUNT))
        senses_per_word[entry.word] += len(entry.synsets)

    synset_edges: set[tuple[int, int, int]] = set()
    sense_edges: set[tuple[int, int, int]] = set()
    for address, synset in synsets.items():
        for pointer in synset.pointers:
            if pointer.target not in number:
                raise FormatError(
                    f"synset {address} points to a missing synset {pointer.target}",
                    f"data.{_FILES[address[0]]}",
                )
            here, there = number[address], number[pointer.target]
            if pointer.symbol in _SYNSET_POINTERS:
                synset_edges.add((here, _SYNSET_POINTERS[pointer.symbol], there))
            if pointer.symbol in _SENSE_POINTERS and pointer.source_word:
                target_words = synsets[pointer.target].words
                own = sense_of.get((here, _word_at(synset.words, pointer.source_word)))
                other = sense_of.get((there, _word_at(target_words, pointer.target_word)))
                if own is not None and other is not None:
                    sense_edges.add((own, _SENSE_POINTERS[pointer.symbol], other))

    synset_start, synset_kind, synset_target = _edge_columns(synset_edges, len(synsets))
    sense_start, sense_kind, sense_target = _edge_columns(sense_edges, len(sense_synset))
    return WordTable(
        words=words,
        sense_start=array("I", accumulate((senses_per_word[word] for word in words), initial=0)),
        sense_synset=sense_synset,
        sense_count=sense_count,
        synset_file=array("B", (synset.lexicographer_file for synset in synsets.values())),
        synset_breadth=_breadths(synset_edges, len(synsets)),
        synset_edge_start=synset_start,
        synset_edge_kind=synset_kind,
        synset_edge_target=synset_target,
        sense_edge_start=sense_start,
        sense_edge_kind=sense_kind,
        sense_edge_target=sense_target,
        exceptions=exceptions,
        source=source,
    )


def _sense_key(word: str, synset: _Synset, synsets: dict[_Address, _Synset]) -> str:
    """Return the key of a sense by senseidx(5WN); some keys in cntlist.rev deviate from it."""
    head = ":"
    if synset.type == "s":
        for pointer in synset.pointers:
            if pointer.symbol == "&" and pointer.target in synsets:
                around = synsets[pointer.target]
                head = f"{around.words[0]}:{around.lexical_ids[0]:02d}"
                break
    at = synset.words.index(word) if word in synset.words else 0
    lexical_id = synset.lexical_ids[at]
    kind = _SENSE_KEY_TYPES[synset.type]
    return f"{word}%{kind}:{synset.lexicographer_file:02d}:{lexical_id:02d}:{head}"


def _word_at(words: tuple[str, ...], place: int) -> str:
    return words[place - 1] if 1 <= place <= len(words) else ""


def _edge_columns(
    edges: Iterable[tuple[int, int, int]], sources: int
) -> tuple["array[int]", "array[int]", "array[int]"]:
    counts = [0] * sources
    kinds, targets = array("B"), array("I")
    for source, kind, target in sorted(edges):
        counts[source] += 1
        kinds.append(kind)
        targets.append(target)
    return array("I", accumulate(counts, initial=0)), kinds, targets


def _breadths(edges: Iterable[tuple[int, int, int]], synsets: int) -> "array[int]":
    """Count the hyponyms below each synset, from which its information content is computed."""
    parents: dict[int, list[int]] = defaultdict(list)
    for source, kind, target in edges:
        if kind in (SynsetEdge.HYPERNYM, SynsetEdge.INSTANCE_HYPERNYM):
            parents[source].append(target)
    breadth = array("I", bytes(4 * synsets))
    for synset in range(synsets):
        above: set[int] = set()
        frontier = list(parents.get(synset, ()))
        while frontier:
            ancestor = frontier.pop()
            if ancestor not in above:
                above.add(ancestor)
                frontier.extend(parents.get(ancestor, ()))
        above.discard(synset)
        for ancestor in above:
            breadth[ancestor] += 1
    return breadth


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the data lines of a dict file; licence lines start with two spaces."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FormatError(
            "no such file: is this WordNet's dict folder (Debian: /usr/share/wordnet)?", str(path)
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot be read as a WordNet file: {error}", str(path)) from None
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.startswith("  "):
            yield number, line


def _read_data(folder: Path, pos: str) -> Iterator[tuple[_Address, _Synset]]:
    path = folder / f"data.{_FILES[pos]}"
    for number, line in _lines(path):
        try:
            yield _parse_synset(line, pos)
        except (ValueError, IndexError):
            raise FormatError("not a synset line of WordNet", str(path), number) from None


def _parse_synset(line: str, pos: str) -> tuple[_Address, _Synset]:
    fields = line.partition(" | ")[0].split()
    lexicographer_file, kind, word_count = int(fields[1]), fields[2], int(fields[3], 16)
    if lexicographer_file >= len(LEXICOGRAPHER_FILES) or kind not in _SENSE_KEY_TYPES:
        raise ValueError("unknown lexicographer file or synset type")
    after = 4 + 2 * word_count
    words = tuple(_plain(word) for word in fields[4:after:2])
    lexical_ids = tuple(int(lexical_id, 16) for lexical_id in fields[5:after:2])
    pointers = []
    for at in range(after + 1, after + 1 + 4 * int(fields[after]), 4):
        symbol, offset, target_pos, places = fields[at : at + 4]
        target = ("a" if target_pos == "s" else target_pos, int(offset))
        pointers.append(_Pointer(symbol, target, int(places[:2], 16), int(places[2:], 16)))
    synset = _Synset(kind, lexicographer_file, words, lexical_ids, tuple(pointers))
    return (pos, int(fields[0])), synset


def _plain(word: str) -> str:
    """Normalise a word: ``Fire_Truck`` → ``fire truck``, ``galore(ip)`` → ``galore``.

    Words are lower-cased as in WordNet's own index.
    """
    return re.sub(r"\((?:p|a|ip)\)$", "", word).replace("_", " ").lower()


def _read_index(folder: Path, pos: str) -> Iterator[_IndexEntry]:
    path = folder / f"index.{_FILES[pos]}"
    for number, line in _lines(path):
        fields = line.split()
        try:
            count, pointer_kinds = int(fields[2]), int(fields[3])
            offsets = [int(offset) for offset in fields[6 + pointer_kinds :]]
            if len(offsets) != count or count < 1:
                raise ValueError("the number of synsets does not match their count")
        except (ValueError, IndexError):
            raise FormatError("not an index line of WordNet", str(path), number) from None
        yield _IndexEntry(_plain(fields[0]), pos, tuple((pos, offset) for offset in offsets))


def _read_counts(folder: Path) -> dict[str, int]:
    """Read how often each sense (by its key) was tagged; the file is optional.

    Without it, the order of senses still shows which is the most frequent.
    """
    path = folder / "cntlist.rev"
    counts: dict[str, int] = {}
    if not path.exists():
        return counts
    for number, line in _lines(path):
        try:
            key, _, count = line.split()
            counts[re.sub(r"\((?:p|a|ip)\)", "", _plain(key))] = int(count)
        except ValueError:
            raise FormatError("not a sense count line of WordNet", str(path), number) from None
    return counts


def _read_exceptions(folder: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    exceptions: dict[str, dict[str, tuple[str, ...]]] = {}
    for pos, name in _FILES.items():
        forms: dict[str, tuple[str, ...]] = {}
        for _, line in _lines(folder / f"{name}.exc"):
            inflected, *bases = (_plain(word) for word in line.split())
            forms[inflected] = tuple(dict.fromkeys((*forms.get(inflected, ()), *bases)))
        exceptions[pos] = forms
    return exceptions


def _source(folder: Path) -> dict[str, object]:
    """Return version and file hashes of the source, so that a table can be compared with it."""
    names = [f"{kind}.{name}" for kind in ("data", "index") for name in _FILES.values()]
    names += [f"{name}.exc" for name in _FILES.values()] + ["cntlist.rev"]
    files = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in sorted(names)
        if (folder / name).exists()
    }
    found = re.search(r"WordNet (\d+\.\d+) Copyright", _licence(folder))
    return {"name": "WordNet", "version": found[1] if found else "unknown", "sha256": files}


def _licence(folder: Path) -> str:
    text = (folder / "data.noun").read_text(encoding="utf-8")
    lines = []
    for line in text.split("\n"):
        numbered = re.match(r"  (\d+) ?(.*)", line)
        if not numbered:
            break
        lines.append(numbered[2].strip())
    return "\n".join(lines).strip() + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line ``DICT_DIR OUT_FILE``; return 1 for bad data, 2 for wrong usage."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if len(given) != 2:
        print("usage: python -m ists.lexicon.build DICT_DIR OUT_FILE", file=sys.stderr)
        return 2
    try:
        table = build(given[0], given[1])
    except (IstsError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    size = Path(given[1]).stat().st_size
    print(
        f"{given[1]}: WordNet {table.source['version']}, {len(table.words)} words, "
        f"{len(table.synset_file)} synsets, {size} bytes",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
