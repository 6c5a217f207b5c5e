"""Small data sets of our own sentences."""

import pytest

PAIRS = [
    (5.0, "A grey heron stands in the pond .", "A grey heron stands in the pond ."),
    (4.2, "The baker opens his shop early .", "The baker opens the shop at dawn ."),
    (3.0, "Two girls fly a kite .", "Two boys fly a red kite ."),
    (1.4, "Rain fell on the hills .", "Snow fell in the valley all night ."),
    (0.2, "The choir sang .", "Prices of copper rose again"),
    (0.0, "My bicycle has a flat tyre", "He painted the fence green ."),
]


@pytest.fixture
def pairs():
    return PAIRS


@pytest.fixture
def write_tsv():
    def write(file, pairs=PAIRS):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{score}\t{one}\t{two}\n" for score, one, two in pairs))
        return file

    return write
