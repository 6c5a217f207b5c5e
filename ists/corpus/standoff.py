"""Stand-off annotation: chunks and labels as token numbers, without the sentences.

    {"id": "r0001", "file": "sts/2014/OnWN.test.tsv", "line": 537,
     "sha256": "…", "tokens_sha256": "…", "domain": "definition", "phenomena": "…",
     "chunks1": [[1], [2, 3, 4]], "chunks2": [[1], [2, 3], [4]],
     "alignments": [{"tokens1": [1], "tokens2": [1], "label": "EQUI", "score": 5,
                     "accept": [["EQUI", 5]]},
                    {"tokens1": [], "tokens2": [4], "label": "ALIC", "score": null}]}

The sentences are the second and third column of that line. Tokens are numbered as
`ists.chunker.tokens.tokenize` splits them by default. Two hashes verify that both are unchanged
since the annotation. A chunk that is in no alignment is NOALI.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from ists.chunker.tokens import tokenize
from ists.corpus.accept import Accepted, AcceptedLink, Choice, choices_of
from ists.corpus.records import Fields, read, token_numbers
from ists.errors import FormatError
from ists.formats import wa
from ists.pairs import Alignment, Chunk, Origin, Relation, Sentence, SentencePair, commented

_HASH_LENGTH = 16
_HASH = rf"[0-9a-f]{{{_HASH_LENGTH}}}"

Texts = tuple[str, str]
Chunks = tuple[Chunk, ...]


@dataclass(frozen=True)
class Standoff:
    """The annotation of one pair, without its sentences."""

    file: str
    """The file of the sentences, relative to the folder of data sets."""
    line: int
    sha256: str
    tokens_sha256: str
    pair: SentencePair
    """The pair with its alignments, but without texts and tokens."""
    accepted: Accepted

    @property
    def id(self) -> str:
        return self.pair.id

    def join(self, texts: Texts) -> SentencePair:
        """Return the pair with its sentences, which must be the annotated ones."""
        if text_hash(texts) != self.sha256:
            raise self._changed("the sentences are not those that were annotated", self.sha256)
        tokens = tuple(tokenize(text, "auto") for text in texts)
        if tokens_hash(tokens) != self.tokens_sha256:
            raise self._changed("the tokens are not those that were annotated", self.tokens_sha256)
        sides = Sentence.of(tokens[0]), Sentence.of(tokens[1])
        return replace(
            self.pair,
            sentence1=sides[0],
            sentence2=sides[1],
            alignments=commented(self.pair.alignments, *sides),
        )

    def _changed(self, reason: str, expected: str) -> FormatError:
        return FormatError(f"pair {self.id}: {reason}, expected hash {expected}")

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of its line."""
        return {
            "id": self.id,
            "file": self.file,
            "line": self.line,
            "sha256": self.sha256,
            "tokens_sha256": self.tokens_sha256,
            "domain": self.accepted.domain,
            "phenomena": self.accepted.phenomena,
            "chunks1": [list(chunk.tokens) for chunk in self.pair.chunks1],
            "chunks2": [list(chunk.tokens) for chunk in self.pair.chunks2],
            "alignments": list(self._alignments()),
        }

    def _alignments(self) -> Iterator[dict[str, Any]]:
        choices = {(link.tokens1, link.tokens2): link for link in self.accepted.links}
        for alignment in self.pair.alignments:
            if alignment.relation is Relation.NOALI and not alignment.flags:
                continue
            ends = _tokens(alignment.chunk1), _tokens(alignment.chunk2)
            label, score = Choice.of(alignment).to_json()
            fields = {"tokens1": list(ends[0]), "tokens2": list(ends[1])}
            accept = {"accept": choices[ends].to_json()["accept"]} if ends in choices else {}
            yield {**fields, "label": label, "score": score, **accept}


def detach(pair: SentencePair, accepted: Accepted, file: str, line: int, texts: Texts) -> Standoff:
    """Return the stand-off annotation of a pair whose sentences are in that line of that file."""
    tokens = tuple(tokenize(text, "auto") for text in texts)
    if tokens != (pair.sentence1.tokens, pair.sentence2.tokens):
        raise FormatError(f"pair {pair.id}: its tokens are not those of this line", file, line)
    bare = SentencePair(
        pair.id, alignments=tuple(replace(one, comment=None) for one in pair.alignments)
    )
    return Standoff(file, line, text_hash(texts), tokens_hash(tokens), bare, accepted)


def text_hash(texts: Texts) -> str:
    """Return the hash of two sentences."""
    return _hash("\t".join(texts))


def tokens_hash(tokens: Iterable[tuple[str, ...]]) -> str:
    """Return the hash of the tokens of two sentences."""
    return _hash("\t".join("\n".join(sentence) for sentence in tokens))


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:_HASH_LENGTH]


def read_standoff(path: Path) -> Iterator[Standoff]:
    """Read the pairs of a stand-off file."""
    return read(path, _parse)


def _parse(fields: Fields, file: str, line: int) -> Standoff:
    pair_id = fields.matching("id", r"[^\s\"/]+", "a name without blanks")
    chunks = _chunks(fields, "chunks1"), _chunks(fields, "chunks2")
    found = fields.objects("alignments")
    alignments = _complete([_alignment(one, chunks) for one in found], chunks)
    links = tuple(
        AcceptedLink(one.tokens("tokens1"), one.tokens("tokens2"), choices_of(one))
        for one in found
        if "accept" in one.values
    )
    origin = Origin(file, line, (line,) * len(alignments))
    return Standoff(
        _path(fields),
        fields.number("line"),
        fields.matching("sha256", _HASH, f"{_HASH_LENGTH} hexadecimal digits"),
        fields.matching("tokens_sha256", _HASH, f"{_HASH_LENGTH} hexadecimal digits"),
        SentencePair(pair_id, alignments=alignments, origin=origin),
        Accepted(pair_id, links, fields.text("domain"), fields.text("phenomena"), file, line),
    )


def _path(fields: Fields) -> str:
    file = fields.matching("file", r"[\w./-]+", "a path below the folder of data sets")
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts:
        raise FormatError(f"'file' is '{file}', expected a path below the folder of data sets")
    return file


def _chunks(fields: Fields, key: str) -> Chunks:
    chunks = tuple(Chunk(token_numbers(item, key)) for item in fields.items(key))
    tokens = [token for chunk in chunks for token in chunk.tokens]
    if not tokens or tokens != list(range(1, len(tokens) + 1)) or not all(map(len, chunks)):
        raise FormatError(f"'{key}' does not have each token exactly once, in order")
    return chunks


def _alignment(fields: Fields, chunks: tuple[Chunks, Chunks]) -> Alignment:
    ends = [
        _one_of(fields.tokens(key), known, key)
        for key, known in zip(("tokens1", "tokens2"), chunks, strict=True)
    ]
    score = fields.values.get("score")
    if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
        raise FormatError(f"score {score!r}, expected a number or null")
    relation, flags = wa.parse_label(fields.text("label"))
    return Alignment(ends[0], ends[1], relation, None if score is None else float(score), flags)


def _one_of(tokens: tuple[int, ...], known: Chunks, key: str) -> Chunk | None:
    if not tokens:
        return None
    if Chunk(tokens) not in known:
        raise FormatError(f"'{key}' is {list(tokens)}, expected one of the chunks")
    return Chunk(tokens)


def _complete(named: list[Alignment], chunks: tuple[Chunks, Chunks]) -> tuple[Alignment, ...]:
    """Return all alignments in file order: links, then the unaligned chunks of each side."""
    used = {one.chunk1 for one in named}, {one.chunk2 for one in named}
    lone1 = [Alignment(chunk, None, Relation.NOALI) for chunk in chunks[0] if chunk not in used[0]]
    lone2 = [Alignment(None, chunk, Relation.NOALI) for chunk in chunks[1] if chunk not in used[1]]
    return tuple(sorted([*named, *lone1, *lone2], key=_place))


def _place(alignment: Alignment) -> tuple[int, tuple[int, ...]]:
    if alignment.is_link:
        return 0, _tokens(alignment.chunk1)
    if alignment.chunk1 is not None:
        return 1, alignment.chunk1.tokens
    return 2, _tokens(alignment.chunk2)


def _tokens(chunk: Chunk | None) -> tuple[int, ...]:
    return () if chunk is None else chunk.tokens
