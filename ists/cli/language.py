"""Warnings about text that is not English: the models support English only."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click

from ists.formats import shown_name
from ists.formats.rows import RejectedItem
from ists.formats.sentences import InputLine, InputPair, InputSentence
from ists.language import SAMPLE, is_english, words_of
from ists.runs.sources import Fingerprint, Source


@dataclass(frozen=True)
class Sampled:
    """Source that checks the language of its first sentences as they are read."""

    source: Source
    say: Callable[[str], None]

    @property
    def files(self) -> tuple[str, ...]:
        return self.source.files

    def items(self) -> Iterator[Any]:
        """Yield the source's items; print a warning if the first of them are not English."""
        texts: list[str] = []
        words = 0
        items = iter(self.source.items())
        for item in items:
            if not isinstance(item, RejectedItem):
                more = [_text(given) for given in _sentences(item)]
                texts += more
                words += sum(1 for _ in words_of(more))
            yield item
            if words >= SAMPLE:
                break
        self._warn_unless_english(texts)
        yield from items

    def fingerprints(self) -> tuple[Fingerprint, ...]:
        return self.source.fingerprints()

    def options(self) -> Mapping[str, Any]:
        return self.source.options()

    def _warn_unless_english(self, texts: list[str]) -> None:
        if not is_english(texts):
            self.say(warning(" and ".join(map(shown_name, self.files))))


def warning(name: str) -> str:
    """Return the warning for text in another language."""
    return f"warning: {name}: most words are not English, and the models support English only"


def warn_unless_english(name: str, texts: Iterable[str]) -> None:
    """Print a warning on stderr if the texts are in another language."""
    if not is_english(texts):
        click.echo(warning(name), err=True)


def _sentences(item: InputPair | InputLine) -> tuple[InputSentence, ...]:
    if isinstance(item, InputPair):
        return item.sentence1, item.sentence2
    return (item.sentence,)


def _text(given: InputSentence) -> str:
    if given.chunks is not None:
        return " ".join(token for chunk in given.chunks for token in chunk)
    return str(given)
