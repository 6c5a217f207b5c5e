"""A tiny corpus and the folder of data sets that its real pairs come from."""

from pathlib import Path

import pytest

from ists.corpus.accept import Accepted, AcceptedLink, Choice
from ists.corpus.folder import Corpus
from ists.corpus.standoff import Standoff, detach
from ists.formats import jsonl, wa, write
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair, commented
from tests.samples import CAT_PAIR

LINE = b"3.5\tA ginger cat sleeps.\tA cat is sleeping here\r\n"
TEXTS = "A ginger cat sleeps.", "A cat is sleeping here"
SICK_LINE = b"1\tTwo dogs run\tA dog runs\t4.1\tNEUTRAL\n"


def accepted_of(pair: SentencePair, *others: Choice) -> Accepted:
    """The labels of a pair's links, each with the same alternatives."""
    return Accepted(
        pair.id,
        tuple(
            AcceptedLink(link.chunk1.tokens, link.chunk2.tokens, (Choice.of(link), *others))
            for link in pair.links
        ),
        "talk",
        "detail",
    )


def real_pair(relation: Relation = Relation.SPE1) -> SentencePair:
    one, two = Sentence.of(["A", "ginger", "cat", "sleeps", "."]), Sentence.of(TEXTS[1].split())
    alignments = (
        Alignment(Chunk((1, 2, 3)), Chunk((1, 2)), relation, 4.0),
        Alignment(Chunk((4,)), Chunk((3, 4)), Relation.EQUI, 5.0),
        Alignment(Chunk((5,)), None, Relation.NOALI),
        Alignment(None, Chunk((5,)), Relation.ALIC),
    )
    return SentencePair("r1", one, two, commented(alignments, one, two))


def dogs_pair() -> SentencePair:
    one, two = Sentence.of(["Two", "dogs", "run"]), Sentence.of(["A", "dog", "runs"])
    alignments = (
        Alignment(Chunk((1, 2)), Chunk((1, 2)), Relation.SIMI, 3.0),
        Alignment(Chunk((3,)), Chunk((3,)), Relation.EQUI, 5.0),
    )
    return SentencePair("r2", one, two, commented(alignments, one, two))


def standoff(pair: SentencePair | None = None) -> Standoff:
    pair = pair or real_pair()
    return detach(pair, accepted_of(pair), "sts/2099/small-talk.test.tsv", 2, TEXTS)


def write_corpus(path: Path, pairs: list[SentencePair], real: list[Standoff]) -> Corpus:
    corpus = Corpus(path)
    corpus.file("talk").parent.mkdir(parents=True)
    write(pairs, corpus.file("talk"))
    labels = b"".join(jsonl.line_of(accepted_of(pair).to_json()) for pair in pairs)
    corpus.accept_file("talk").write_bytes(labels)
    corpus.real_file.write_bytes(b"".join(jsonl.line_of(one.to_json()) for one in real))
    return corpus


@pytest.fixture
def data(tmp_path) -> Path:
    folder = tmp_path / "data"
    talk = folder / "sts" / "2099" / "small-talk.test.tsv"
    talk.parent.mkdir(parents=True)
    talk.write_bytes(b"1.0\tHow are you?\tAre you well?\n" + LINE)
    (folder / "sick2014").mkdir()
    (folder / "sick2014" / "SICK_train.txt").write_bytes(SICK_LINE)
    pilot = folder / "ists2015" / "train"
    pilot.mkdir(parents=True)
    (pilot / "STSint.gs.images.wa").write_bytes(
        wa.render(CAT_PAIR).replace(b"tabby", b"stra\xe9nge").replace(b"sleep", b"snooz")
    )
    return folder


@pytest.fixture
def corpus(tmp_path) -> Corpus:
    dogs = detach(
        dogs_pair(),
        accepted_of(dogs_pair()),
        "sick2014/SICK_train.txt",
        1,
        ("Two dogs run", "A dog runs"),
    )
    made = write_corpus(tmp_path / "corpus", [CAT_PAIR], [standoff(), dogs])
    write_corpus(made.second.path, [CAT_PAIR], [standoff(real_pair(Relation.SIMI))])
    return made
