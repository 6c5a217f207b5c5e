"""Build the corpus files for training and testing: one complete ``.wa`` file per corpus."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from ists.corpus import overlap
from ists.corpus.accept import Accepted
from ists.corpus.alternatives import pairs_of
from ists.corpus.datasets import OFFICIAL, join, official, source_of
from ists.corpus.folder import Corpus
from ists.corpus.standoff import Standoff
from ists.errors import FormatError
from ists.files import atomic_output, unwritable
from ists.formats import jsonl, wa
from ists.pairs import SentencePair

Kind = Literal["everyday", "real", "official"]
KINDS: tuple[Kind, ...] = ("everyday", "real", "official")
ACCEPT_FILE = "accept.jsonl"
EXTRA_FOLDER = "extra"
"""Folder of the pairs that only networks learn from; the other files of a corpus are gold."""
_EACH, _SEED = 8, 1
"""Pairs drawn from a sentence with alternatives, and the seed of the draws."""


@dataclass(frozen=True)
class Part:
    """One corpus: its name, its file and its acceptable labels, if any."""

    name: str
    content: bytes
    accepted: tuple[Accepted, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.name}.wa"

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return self.content.count(b"<sentence ")


def parts(corpus: Corpus, data: Path | None, kinds: Collection[Kind] = KINDS) -> list[Part]:
    """Yield all corpora of these kinds; all but the everyday ones need a folder of data sets."""
    found: list[Part] = []
    if "everyday" in kinds:
        found += _everyday(corpus)
    if data is not None and "real" in kinds:
        found += _real(corpus, data)
    if data is not None and "official" in kinds:
        sets = official(data)
        if not sets and set(kinds) == {"official"}:
            raise FormatError(f"none of {', '.join(OFFICIAL.values())}", str(data))
        found += [Part(name, content) for name, content in sets.items()]
    return found


def extra(corpus: Corpus, data: Path | None = None) -> list[Part]:
    """Return the pairs that only networks learn from.

    Pairs of which only the chunks were annotated need a folder of data sets. Pairs that share six
    words in a row with a pair for testing are left out.
    """
    tested = overlap.passages(corpus.test.path, ("**/*.wa",))
    tested_runs = {
        run for passage in tested for run in overlap.runs(overlap.words_of(passage.text))
    }

    def is_new(pair: SentencePair) -> bool:
        texts = str(pair.sentence1), str(pair.sentence2)
        return all(tested_runs.isdisjoint(overlap.runs(overlap.words_of(text))) for text in texts)

    sources: dict[str, Iterable[SentencePair]] = {
        "alternatives": pairs_of(corpus.alternatives(), _EACH, _SEED),
        "chunked": () if data is None else join(corpus.chunked(), data),
    }
    found = {name: list(filter(is_new, pairs)) for name, pairs in sources.items()}
    return [Part(name, _as_wa(pairs)) for name, pairs in found.items() if pairs]


def _everyday(corpus: Corpus) -> Iterator[Part]:
    for theme in corpus.themes:
        accepted = tuple(corpus.accepted(theme))
        yield Part(f"everyday-{theme}", _as_wa(corpus.written(theme)), accepted)


def _real(corpus: Corpus, data: Path) -> Iterator[Part]:
    for source, annotations in by_source(corpus.real()).items():
        accepted = tuple(one.accepted for one in annotations)
        yield Part(f"real-{source}", _as_wa(join(annotations, data)), accepted)


def by_source(annotations: Iterable[Standoff]) -> Mapping[str, list[Standoff]]:
    """Group real pairs by the data set they come from."""
    ordered = sorted(annotations, key=lambda one: source_of(one.file).lower())
    return {
        source: list(group) for source, group in groupby(ordered, lambda one: source_of(one.file))
    }


def _as_wa(pairs: Iterable[SentencePair]) -> bytes:
    return b"".join(map(wa.render, pairs))


def write(found: Iterable[Part], output: Path) -> None:
    """Write the corpora, and one file of all acceptable labels, to a folder."""
    found = list(found)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(output, error) from None
    for part in found:
        with atomic_output(output / part.file) as stream:
            stream.write(part.content)
    if not any(part.accepted for part in found):
        return
    with atomic_output(output / ACCEPT_FILE) as stream:
        for part in found:
            for accepted in part.accepted:
                stream.write(jsonl.line_of(_accept_record(part.name, accepted)))


def _accept_record(name: str, accepted: Accepted) -> dict[str, Any]:
    links = [link.to_json() for link in accepted.links]
    return {"corpus": name, "id": accepted.id, "links": links}
