"""Access to a local folder of other data sets, which have the sentences of the real pairs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from ists.corpus.standoff import Standoff, Texts
from ists.errors import FormatError
from ists.files import open_input
from ists.formats.rows import rows
from ists.pairs import SentencePair

OFFICIAL = {
    "pilot-headlines": "ists2015/train/STSint.gs.headlines.wa",
    "pilot-images": "ists2015/train/STSint.gs.images.wa",
    "more-headlines": "ists2016/more/STSint.gs.headlines.wa",
    "more-images": "ists2016/more/STSint.gs.images.wa",
    "students": "ists2016/train/STSint.input.answers-students.wa",
}
"""The task's training sets and our distinct names for them."""
_SENTENCE_COLUMNS = slice(1, 3)


def source_of(file: str) -> str:
    """Return the name of the data set that a file belongs to: ``deft-forum``, ``snli``, …"""
    path = PurePosixPath(file)
    if path.parts[0] == "sts":
        return path.name.split(".")[0]
    return path.parts[0].rstrip("0123456789")


def join(annotations: Iterable[Standoff], data: Path) -> Iterator[SentencePair]:
    """Return the pairs with their sentences, in the given order.

    A file or line that is missing or differs from the annotated one raises a `FormatError`.
    """
    annotations = list(annotations)
    wanted: dict[str, set[int]] = defaultdict(set)
    for one in annotations:
        wanted[one.file].add(one.line)
    texts = {file: texts_of(data / file, lines) for file, lines in wanted.items()}
    for one in annotations:
        place = str(data / one.file), one.line
        if one.line not in texts[one.file]:
            raise FormatError(f"pair {one.id}: no two sentences in this line", *place)
        try:
            yield one.join(texts[one.file][one.line])
        except FormatError as error:
            raise FormatError(error.reason, *place) from None


def texts_of(file: Path, lines: set[int]) -> dict[int, Texts]:
    """Return the second and third columns of some lines; lines without them are left out."""
    found: dict[int, Texts] = {}
    for row in rows(file, "tsv"):
        if row.line in lines:
            columns = row.cells("tsv")[_SENTENCE_COLUMNS]
            if len(columns) == 2:
                found[row.line] = columns[0], columns[1]
    return found


def official(data: Path) -> dict[str, bytes]:
    """Return the bytes of the task's training sets that are found."""
    found = {}
    for name, file in OFFICIAL.items():
        if (data / file).is_file():
            with open_input(data / file) as stream:
                found[name] = stream.read()
    return found
