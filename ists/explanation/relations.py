"""Appearance of each relation: colour and line style, in pictures and on a terminal.

The hues are those of Okabe and Ito, which are distinct for colour-blind people, made darker or
lighter for contrast with the background; the line styles alone are distinct as well.
"""

from typing import NamedTuple

from ists.pairs import Relation


class RelationStyle(NamedTuple):
    """Colours on light and dark background, line style, and terminal colour of a relation."""

    light: str
    dark: str
    dashes: str
    """SVG's ``stroke-dasharray``; empty for a solid line."""
    terminal: str
    sign: str
    """Sign between two chunks in text output."""
    meaning: str


RELATION_STYLES: dict[Relation, RelationStyle] = {
    Relation.EQUI: RelationStyle("#00795a", "#34cfa4", "", "green", "===", "same meaning"),
    Relation.OPPO: RelationStyle("#b03a00", "#ff8f55", "14 4 3 4 3 4", "red", "<>", "opposite"),
    Relation.SPE1: RelationStyle(
        "#004a86", "#6cb4f2", "12 5", "blue", "-->", "the first is more specific"
    ),
    Relation.SPE2: RelationStyle(
        "#3093c8", "#a3dcff", "12 5 3 5", "cyan", "<--", "the second is more specific"
    ),
    Relation.SIMI: RelationStyle("#b98500", "#f0b840", "6 4", "yellow", "~~~", "similar"),
    Relation.REL: RelationStyle("#b84f8d", "#e79ac6", "2 5", "magenta", "...", "related"),
    Relation.ALIC: RelationStyle(
        "#7a3fb5", "#c3a1f5", "1 4", "bright_black", "", "its partner is already aligned"
    ),
    Relation.NOALI: RelationStyle(
        "#5f6b7a", "#a3afbd", "4 3", "bright_black", "", "nothing corresponds"
    ),
}
