"""The reader of the documents itself."""

import pytest

from tests.docs.shown import agrees, blocks, commands, tables

TEXT = """Text, and

    $ ists one  # why
    first  line

    …
    $ two | ists
    $ ists three

then

    ists four
    ists five > x

- a list
    that goes on

```python
ists six
```

| | **a** | b |
|---|---|---|
| r | .1 | **.2** |
"""


def test_commands_are_found_with_their_output():
    prompted, plain, python = blocks("some.md", TEXT)
    assert [(c.line, c.bare, c.output) for c in commands(prompted)] == [
        (3, "ists one", ("first  line", "", "…")),
        (7, "two | ists", ()),
        (8, "ists three", ()),
    ]
    assert [(c.line, c.text) for c in commands(plain)] == [(12, "ists four"), (13, "ists five > x")]
    assert (python.line, python.language, python.text) == (19, "python", "ists six\n")
    assert commands(python) == []


def test_the_figures_of_a_table_are_found_by_row_and_column():
    (table,) = tables(TEXT)
    assert table.figures() == {("r", "a"): ".1", ("r", "b"): ".2"}


@pytest.mark.parametrize(
    ("lines", "printed", "same"),
    [
        (["a  b"], " a b\n\n", True),
        (["a b"], "a b\nc\n", False),
        (["a", "…"], "a\nb\nc\n", True),
        (["a", "…"], "a\n", True),
        (["…", "c"], "a\nb\nc\n", True),
        (["…", "c"], "a\nb\n", False),
        (["a …"], "a b c\n", True),
        (["a …"], "b a\n", False),
        (["a", "c"], "a\n\nc\n", False),
        (["1.5"], "125\n", False),
    ],
)
def test_output_agrees_with_what_is_shown(lines, printed, same):
    assert agrees(lines, printed) is same
