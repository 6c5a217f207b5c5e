import json
from dataclasses import replace

from ists import Aligner, read
from ists.formats import rendering
from ists.pairs import Alignment, Relation
from tests.golden import outputs
from tests.golden.margins import Margins

CLOSE = 1e-4
"""A decision may differ from the golden one where its margin is below this."""


def what_changed() -> str:
    then, now = json.loads(outputs.MADE_WITH.read_text()), outputs.made_with()
    changed = [
        f"{name}: {then.get(name)} → {now[name]}" for name in now if then.get(name) != now[name]
    ]
    return "; ".join(changed) or "neither models nor packages: the code, or another processor"


def test_the_models_make_the_golden_outputs():
    """If this is meant: make golden, and read the difference."""
    made = dict(zip(golden_ids(), outputs.aligned(), strict=True))
    wanted = {pair.id: pair for pair in read(outputs.ALIGNED)}
    render = rendering("wa").pair
    margins = Margins(Aligner.load())
    too_far = {}
    for number, data in made.items():
        if data == render(wanted[number]):
            continue
        found = margins.of(wanted[number])
        print(f"pair {number} differs by decisions of these margins: {found}")
        if not found or max(found.values()) >= CLOSE:
            too_far[number] = found
    assert not too_far, f"Changed since: {what_changed()}. Margins: {too_far}"


def test_the_model_makes_the_golden_groups():
    golden, made = outputs.ALIGNED_2016.read_bytes(), outputs.aligned((outputs.GROUPS,), "2016")
    assert golden == b"".join(made), f"Changed since: {what_changed()}"


def test_the_golden_groups_have_gaps_on_either_side_and_no_alic():
    pairs = list(read(outputs.ALIGNED_2016, edition="2016"))
    assert any(not link.chunk1.contiguous for pair in pairs for link in pair.links)
    assert any(not link.chunk2.contiguous for pair in pairs for link in pair.links)
    assert not any(one.relation is Relation.ALIC for pair in pairs for one in pair.alignments)
    assert not [problem for pair in pairs for problem in pair.problems("2016")]
    assert not [problem for pair in pairs for problem in pair.violations()]


def test_the_chunker_makes_the_golden_chunks():
    golden, made = outputs.CHUNKED.read_bytes(), b"".join(outputs.chunked())
    assert golden == made, f"Changed since: {what_changed()}"


def test_a_golden_decision_that_is_made_has_no_margin():
    margins = Margins(Aligner.load())
    for pair in read(outputs.ALIGNED):
        assert max(margins.of(pair).values(), default=0.0) < CLOSE


def test_another_decision_has_a_margin():
    margins = Margins(Aligner.load())
    pair = next(pair for pair in read(outputs.ALIGNED) if len(pair.links) > 1)
    first, *rest = pair.alignments
    relabelled = replace(first, relation=Relation.REL, score=1.0)
    assert max(margins.of(replace(pair, alignments=(relabelled, *rest))).values()) > CLOSE
    alone = (
        Alignment(first.chunk1, None, Relation.NOALI),
        Alignment(None, first.chunk2, Relation.NOALI),
    )
    found = margins.of(replace(pair, alignments=(*rest, *alone)))
    assert found["links"] > CLOSE


def golden_ids():
    return [pair.id for pair in read(outputs.ALIGNED)]


def test_the_golden_pairs_cover_every_label():
    pairs = list(read(outputs.ALIGNED))
    assert len(pairs) == 60
    labels = {alignment.relation for pair in pairs for alignment in pair.alignments}
    assert labels == set(Relation)
    assert not [problem for pair in pairs for problem in pair.violations()]
