"""How each relation looks: one colour and one line, in every picture and on a terminal.

The hues are those of Okabe and Ito, which people of every colour vision tell apart, made darker or
lighter until they stand out from the ground; the line alone tells the relations apart as well.
"""

from typing import NamedTuple

from ists.pairs import Relation


class Look(NamedTuple):
    """A relation's colours on light and dark ground, its line, and its colour on a terminal."""

    light: str
    dark: str
    dashes: str
    """As SVG's ``stroke-dasharray``; empty for an unbroken line."""
    terminal: str
    sign: str
    """Between two chunks in a line of text."""
    meaning: str


LOOKS: dict[Relation, Look] = {
    Relation.EQUI: Look("#00795a", "#34cfa4", "", "green", "===", "same meaning"),
    Relation.OPPO: Look("#b03a00", "#ff8f55", "14 4 3 4 3 4", "red", "<>", "opposite"),
    Relation.SPE1: Look("#004a86", "#6cb4f2", "12 5", "blue", "-->", "the first is more specific"),
    Relation.SPE2: Look(
        "#3093c8", "#a3dcff", "12 5 3 5", "cyan", "<--", "the second is more specific"
    ),
    Relation.SIMI: Look("#b98500", "#f0b840", "6 4", "yellow", "~~~", "similar"),
    Relation.REL: Look("#b84f8d", "#e79ac6", "2 5", "magenta", "...", "related"),
    Relation.ALIC: Look("#5f6b7a", "#a3afbd", "1 3", "bright_black", "", "its partner was taken"),
    Relation.NOALI: Look("#5f6b7a", "#a3afbd", "4 3", "bright_black", "", "nothing corresponds"),
}
