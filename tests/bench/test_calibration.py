import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from ists.bench.reliability import Panel, reliability_diagram
from scorer.calibration import BINS, Bin, Reliability, bar, bin_of, bounds

SVG = "{http://www.w3.org/2000/svg}"
SHARES = st.floats(0, 1)
DECISIONS = st.lists(st.tuples(SHARES, SHARES), max_size=30)


@given(SHARES)
def test_every_confidence_is_within_the_bounds_of_its_bin(confidence):
    place = bin_of(confidence)
    low, high = bounds()[place]
    assert low <= confidence < high or confidence == high == 1


@pytest.mark.parametrize("tenth", range(BINS))
def test_an_edge_belongs_to_the_upper_bin(tenth):
    assert bin_of(tenth / 10) == tenth


@pytest.mark.parametrize("confidence", [-0.01, 1.01, float("nan")])
def test_a_number_that_is_not_a_probability_is_rejected(confidence):
    with pytest.raises(ValueError, match="expected a number from 0 to 1"):
        bin_of(confidence)


@given(DECISIONS)
def test_no_decision_is_lost(decisions):
    found = Reliability.of(decisions)
    assert len(found.bins) == BINS
    assert found.total.count == len(decisions)
    assert found.total.confidence == pytest.approx(sum(one for one, _ in decisions))
    assert found.total.right == pytest.approx(sum(right for _, right in decisions))
    for (low, high), one in zip(bounds(), found.bins, strict=True):
        if one.count:
            assert low - 1e-9 <= one.mean_confidence <= high + 1e-9


@given(DECISIONS)
def test_the_error_is_at_most_1_and_at_least_the_difference_of_the_means(decisions):
    found = Reliability.of(decisions)
    if not decisions:
        assert found.ece is None
        assert found.to_dict() is None
        return
    gap = abs(found.total.mean_confidence - found.total.share_right)
    assert gap - 1e-9 <= found.ece <= 1


@given(st.lists(SHARES, min_size=1, max_size=30))
def test_accuracy_equal_to_the_confidence_has_no_error(confidences):
    assert Reliability.of(zip(confidences, confidences, strict=True)).ece == 0


@given(DECISIONS, DECISIONS)
def test_merged_bins_are_those_of_all_decisions(some, others):
    merged, whole = Reliability.of(some) + Reliability.of(others), Reliability.of(some + others)
    for one, two in zip(merged.bins, whole.bins, strict=True):
        assert one.count == two.count
        assert (one.confidence, one.right) == pytest.approx((two.confidence, two.right))


def test_the_error_by_hand():
    # Bin 0.9 to 1: two decisions, mean 0.95, one right; bin 0.2 to 0.3: one decision, wrong.
    found = Reliability.of([(0.9, 1.0), (1.0, 0.0), (0.25, 0.0)])
    assert found.ece == pytest.approx((2 * (0.95 - 0.5) + 1 * 0.25) / 3)
    last = found.to_dict()["bins"][-1]
    assert last == {"from": 0.9, "to": 1.0, "count": 2, "confidence": 0.95, "right": 0.5}


def test_a_bar_shows_both_figures():
    assert bar(Bin(4, 3.0, 2.0), 8) == "====  + "
    assert bar(Bin(4, 1.0, 4.0), 8) == "==+====="
    assert bar(Bin(1, 1.0, 0.0), 8) == "       +"
    assert bar(Bin(), 8) == " " * 8


def test_the_diagram_is_well_formed_and_deterministic():
    found = Reliability.of([(0.95, 1.0), (0.55, 0.5), (0.25, 0.0)])
    rows = [[Panel("links <&>", found), Panel("labels", found)], [Panel("none", Reliability())]]
    drawn = reliability_diagram("Everyday", rows)
    assert drawn == reliability_diagram("Everyday", rows)
    root = etree.fromstring(drawn.encode())
    assert len(root.findall(f".//{SVG}rect[@class='bin']")) == 6
    assert len(root.findall(f".//{SVG}circle")) == 6
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "links <&>" in texts
    assert "no decision" in texts
    heights = {float(one.get("height")) for one in root.iterfind(f".//{SVG}rect[@class='bin']")}
    assert heights == {200.0, 100.0, 0.0}
