"""Keys that an annotator needs for a pair: gold decisions are replayed on the page in a browser.

From scratch, links are made strongest first, as the guidelines ask. With suggestions, the model's
answer is the gold itself. The key that opens the next pair is counted. Pairs whose gold breaks the
guidelines, which the page rejects, are left out.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import mean, median

from ists import read
from ists.annotate.draft import Draft, Step, draft_of
from ists.annotate.suggestions import Suggester
from ists.formats.sentences import InputSentence
from ists.pairs import Evidence, Flag, Relation, SentencePair
from tests.benchmarks.material import gold_file

FROM_SCRATCH, WITH_SUGGESTIONS = 24, 6
"""The aims, in keys per pair."""
_GAP_KEYS = "1234567890erotpsdfjklcvbn"
_LABELS = {
    Relation.OPPO: "o",
    Relation.SPE1: "t",
    Relation.SPE2: "b",
    Relation.SIMI: "s",
    Relation.REL: "r",
}
_FLAGS = {Flag.FACT: "f", Flag.POL: "p"}
_MOST_DIGITS = 9


def replayable(pair: SentencePair) -> bool:
    """Whether the page can make this gold: complete, by the guidelines, with whole scores."""
    draft = draft_of(pair)
    whole = all(link.score is not None and link.score % 1 == 0 for link in draft.links)
    return draft.step is Step.DONE and whole and not any(one.flags for one in draft.alone)


def keys_from_scratch(gold: Draft) -> list[str]:
    """The keys that lead from two sentences to the gold and on to the next pair."""
    keys = [*_cutting(gold, 0), "Enter", *_cutting(gold, 1), "Enter", *_linking(gold), "Enter"]
    if gold.alone:
        keys += [*_labelling(gold), "Enter"]
    return [*keys, "Enter"]


def _cutting(gold: Draft, side: int) -> Iterator[str]:
    cursor = 2
    for start in gold.starts[side][1:]:
        if start - 2 < len(_GAP_KEYS):
            yield _GAP_KEYS[start - 2]
        else:
            yield from ["ArrowRight"] * (start - cursor)
            yield "Space"
        cursor = start


def _linking(gold: Draft) -> Iterator[str]:
    row, other = gold.starts
    free, cursor = set(range(len(row))), 0
    links = sorted(gold.links, key=lambda link: (-(link.score or 0), link.first))
    for link in links:
        place, partner = row.index(link.first), other.index(link.seconds[0])
        yield from _moved(cursor, place, len(row))
        if partner < _MOST_DIGITS:
            yield str(partner + 1)
        else:
            yield from ("Space", "Home", *["ArrowRight"] * partner, "Space")
        yield str(int(link.score or 0))
        if link.relation is not None and link.relation in _LABELS:
            yield _LABELS[link.relation]
        yield from (_FLAGS[flag] for flag in sorted(link.flags))
        free.discard(place)
        turned = [*range(place + 1, len(row)), *range(place + 1)]
        cursor = next((one for one in turned if one in free), place)


def _moved(here: int, there: int, count: int) -> list[str]:
    """The shortest way along a row."""
    ways = [
        ["ArrowRight" if there > here else "ArrowLeft"] * abs(there - here),
        ["Home", *["ArrowRight"] * there],
        ["End", *["ArrowLeft"] * (count - 1 - there)],
    ]
    return min(ways, key=len)


def _labelling(gold: Draft) -> Iterator[str]:
    open_ = sorted(gold.alone, key=lambda one: (one.side, one.start))
    for number, one in enumerate(open_):
        if one.relation is Relation.ALIC:
            yield "c"
        elif any(later.relation is Relation.ALIC for later in open_[number:]):
            yield "n"
    if open_[-1].relation is not Relation.ALIC:
        yield "l"


def perfect(pairs: list[SentencePair]) -> Suggester:
    """A model that suggests the gold."""
    sure = Evidence(1.0, 1.0)
    known = {
        (pair.sentence1.words, pair.sentence2.words): replace(
            pair, alignments=tuple(replace(a, evidence=sure) for a in pair.alignments)
        )
        for pair in pairs
    }

    def align(sentence1: InputSentence, sentence2: InputSentence) -> SentencePair:
        return known[_words(sentence1), _words(sentence2)]

    return Suggester(align)


def _words(sentence: InputSentence) -> tuple[str, ...]:
    if sentence.chunks is not None:
        return tuple(word for chunk in sentence.chunks for word in chunk)
    return tuple(sentence.tokens or ())


def replay(page, folder: Path, pairs: list[SentencePair]) -> list[int]:
    """Make the gold by keys from scratch; return the number of keys for each pair."""
    from tests.browser.test_annotate import press

    golds = [draft_of(pair) for pair in pairs]
    counts = []
    with _opened(page, folder, golds, None) as target:
        for gold in golds:
            keys = keys_from_scratch(gold)
            press(page, *keys)
            counts.append(len(keys))
    _require_gold(target, golds)
    return counts


def replay_suggestions(page, folder: Path, pairs: list[SentencePair]) -> list[int]:
    """Make the gold by accepting suggestions; return the number of keys for each pair."""
    from tests.browser.test_annotate import press, step_of

    golds = [draft_of(pair) for pair in pairs]
    counts = []
    with _opened(page, folder, golds, perfect(pairs)) as target:
        for _ in golds:
            count = 1
            while step_of(page) != "done":
                page.wait_for_selector("#proposal:not([hidden])")
                press(page, "Shift+A")
                count += 1
                if count > FROM_SCRATCH:
                    raise AssertionError(f"stuck: {page.inner_text('#message')}")
            press(page, "Enter")
            counts.append(count)
    _require_gold(target, golds)
    return counts


@contextmanager
def _opened(page, folder: Path, golds: list[Draft], suggester) -> Iterator[Path]:
    from tests.browser.annotating import served
    from tests.browser.test_annotate import visit

    target = folder / ("suggested.wa" if suggester else "scratch.wa")
    sentences = [tuple(" ".join(words) for words in gold.words) for gold in golds]
    with served(target, *sentences, suggester=suggester) as address:
        visit(page, address)
        yield target


def _require_gold(target: Path, golds: list[Draft]) -> None:
    for pair, gold in zip(read(target), golds, strict=True):
        if {*draft_of(pair).alignments()} != {*gold.alignments()}:
            raise AssertionError(f"pair {pair.id} is not the gold")


def run(most: int = 60) -> None:
    from playwright.sync_api import sync_playwright

    every = [pair for pair in read(gold_file()) if replayable(pair)]
    all_keys = [len(keys_from_scratch(draft_of(pair))) for pair in every]
    chosen = every[:: max(1, len(every) // most)][:most]
    with sync_playwright() as started, tempfile.TemporaryDirectory() as folder:
        browser = started.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page()
        scratch = replay(page, Path(folder), chosen)
        suggested = replay_suggestions(page, Path(folder), chosen)
        browser.close()
    print(f"{'':<26}{'pairs':>6} {'mean':>6} {'median':>7} {'most':>5} {'aim':>5}")
    for name, counts, aim in (
        ("from scratch, all", all_keys, FROM_SCRATCH),
        ("from scratch, in a browser", scratch, FROM_SCRATCH),
        ("with good suggestions", suggested, WITH_SUGGESTIONS),
    ):
        figures = f"{len(counts):>6} {mean(counts):>6.1f} {median(counts):>7.1f} {max(counts):>5}"
        print(f"{name:<26}{figures} {aim:>5}")
