"""The list of training pairs in a model's folder: written by a training, or added to a model.

    python -m ists.train.seen models/pilot STSint.gs.headlines.wa STSint.gs.images.wa

adds the list to a model that was trained before models had one, from the files that its card names.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ists.errors import IstsError, ModelError
from ists.models import CARD, Model, read_card, sha256_of, write_card
from ists.pairs import SentencePair
from ists.seen import Texts, write_seen
from ists.train.gold import read_pairs
from ists.train.ratings import RatedSet, read_rated


def gold_texts(pairs: Iterable[SentencePair]) -> Iterator[Texts]:
    """Yield the sentences of gold pairs."""
    return ((str(pair.sentence1), str(pair.sentence2)) for pair in pairs)


def rated_texts(sets: Iterable[RatedSet]) -> Iterator[Texts]:
    """Yield the sentences of rated pairs."""
    return (
        (" ".join(pair.tokens1), " ".join(pair.tokens2)) for rated in sets for pair in rated.pairs
    )


def add_seen(folder: Path, files: Sequence[Path]) -> Model:
    """Add the list of the pairs of its training files to a model, and update its card."""
    card = read_card(folder)
    expected = set(card["training"]["files"].values())
    for file in files:
        if sha256_of(file) not in expected:
            raise ModelError(f"{file}: is not one of the files that {folder / CARD} names")
        expected.discard(sha256_of(file))
    if expected:
        raise ModelError(f"{folder / CARD}: names {len(expected)} more training files")
    name = write_seen(folder, (texts for file in files for texts in _texts(file)))
    write_card(folder, card, [*(file for file in card["files"] if file != name), name])
    return Model(folder, read_card(folder))


def _texts(file: Path) -> Iterator[Texts]:
    if file.suffix == ".wa":
        return gold_texts(read_pairs(file))
    return rated_texts([read_rated(file)])


def main() -> None:
    """Run `add_seen` with the arguments of the command line."""
    if len(sys.argv) < 3:
        sys.exit("usage: python -m ists.train.seen MODEL-FOLDER TRAINING-FILE...")
    try:
        add_seen(Path(sys.argv[1]), [Path(file) for file in sys.argv[2:]])
    except IstsError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
