"""PNG and PDF files of pictures, by the optional package vl-convert-python."""

from collections.abc import Iterable
from typing import Literal

from ists.errors import IstsError
from ists.explanation.picture import WIDE, Drawable, explained, plain_svg, plate

ImageFormat = Literal["png", "pdf"]
IMAGE_FORMATS: tuple[ImageFormat, ...] = ("png", "pdf")
_SCALE = 2
"""Pixels of a PNG per unit of length, for sharp text."""
_HIGHEST = 14_400
"""Maximum height of a page of PDF; a PNG of this height takes 200 MB of memory."""


def export(
    pairs: Drawable | Iterable[Drawable], format: ImageFormat, *, width: float = WIDE
) -> bytes:
    """Draw one pair or many as PNG or PDF, in light colours."""
    if format not in IMAGE_FORMATS:
        raise ValueError(f"format is {format!r}, expected one of {', '.join(IMAGE_FORMATS)}")
    try:
        import vl_convert
    except ImportError:
        name = format.upper()
        reason = f"{name} needs vl-convert-python, which is not installed"
        raise IstsError(f"{reason}: pip install 'ists[pictures]'") from None
    explanations = explained(pairs)
    height = plate(explanations, width).height
    if height > _HIGHEST:
        raise IstsError(
            f"{len(explanations)} pairs make a picture {height:.0f} high, expected at most "
            f"{_HIGHEST}: choose fewer pairs, or write HTML"
        )
    svg = plain_svg(explanations, width)
    image: bytes = (
        vl_convert.svg_to_png(svg, scale=_SCALE)
        if format == "png"
        else vl_convert.svg_to_pdf(svg, scale=1)
    )
    return image
