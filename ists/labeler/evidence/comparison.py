"""Two chunks side by side: their links, and what each of them has for itself."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ists.labeler.evidence.deciding import deciding_words
from ists.labeler.evidence.links import Link, find_compounds, find_links
from ists.labeler.evidence.units import ARTICLES, Cut, Unit, cut, is_telling, word_set
from ists.labeler.evidence.wording import is_spelled
from ists.labeler.phrases import Determiner, Phrase
from ists.labeler.reasons import Reason
from ists.labeler.views import PairView
from ists.labeler.words import Word, WordKnowledge
from ists.lexicon import DateKind, are_opposite, polarity

_MODALS = word_set("may might could would should must can ca cannot")
_QUITTING = word_set("quit cease refrain abstain")
_QUANTIFIERS = tuple(map(word_set, ("all every each both", "most many", "few several some any")))


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two chunks."""

    sentence: int
    """1 or 2."""
    phrase: Phrase
    rest: tuple[Unit, ...]
    """The units without counterpart in the other chunk."""
    elsewhere: frozenset[str]
    """What the sentence says outside the chunk: words in lower case, and lemmas."""
    implied: frozenset[str] = frozenset()
    """What the other chunk says by its grammar alone."""
    deciding: tuple[str, ...] = ()
    """Words such as *only* and *except*, if the other chunk has none that corresponds."""
    is_denied_outside: bool = False
    """Whether the rest of its sentence may deny it: *gave up* before *smoking*."""
    linked: frozenset[int] = frozenset()
    """The places of the words that have a counterpart."""
    compounds: tuple[tuple[Unit, Unit], ...] = ()
    """Phrases, each with a word of the other chunk that it is a kind of."""

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of the chunk."""
        return self.phrase.words

    @property
    def said(self) -> frozenset[str]:
        """What the chunk says: words in lower case, and lemmas."""
        return _forms(self.words)

    @property
    def missing(self) -> tuple[Unit, ...]:
        """Of the units without counterpart, those that are informative by themselves.

        Light verbs are not, nor is the *one* that the other chunk says as *a*.
        """
        return tuple(
            unit for unit in self.rest if not (unit.is_light or unit.text.lower() in self.implied)
        )

    @property
    def is_negated(self) -> bool:
        """Whether the chunk is negated."""
        return _is_negated(self.phrase)

    @property
    def modals(self) -> tuple[str, ...]:
        """The verbs that leave open whether something is so: may, should."""
        return tuple(word.text for word in self.words if word.lower in _MODALS)


@dataclass(frozen=True)
class Comparison:
    """Chunk `i` of sentence 1 and chunk `j` of sentence 2; computed on demand."""

    view: PairView
    i: int
    j: int

    @property
    def knowledge(self) -> WordKnowledge:
        """The word knowledge."""
        return self.view.knowledge

    @cached_property
    def phrases(self) -> tuple[Phrase, Phrase]:
        """The two chunks."""
        return self.view.one.phrases[self.i], self.view.two.phrases[self.j]

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The units that correspond, in the order of the first chunk."""
        return find_links(*self.phrases, *self._cuts, self.knowledge)

    @cached_property
    def one(self) -> Side:
        """The chunk of sentence 1."""
        return self._side(1, self.view.one.phrases, self.i, self.links)

    @cached_property
    def two(self) -> Side:
        """The chunk of sentence 2."""
        back = tuple(link.turned() for link in self.links)
        return self._side(2, self.view.two.phrases, self.j, back)

    @property
    def sides(self) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
        """Each side with the other one."""
        return (self.one, self.two), (self.two, self.one)

    @property
    def one_is_negated(self) -> bool:
        """Whether one of the chunks is negated, and only one."""
        return _is_negated(self.phrases[0]) != _is_negated(self.phrases[1])

    @property
    def is_turned(self) -> bool:
        """Whether grammar keeps them apart: negation, modals, quantifiers, order, directions."""
        modals = [{modal.lower() for modal in side.modals} for side in (self.one, self.two)]
        quantified = [_quantifiers(side) for side in (self.one, self.two)]
        numbers = [[word.lower for word in p.words if word.is_number] for p in self.phrases]
        return (
            self.phrases[0].is_negated != self.phrases[1].is_negated
            or modals[0] != modals[1]
            or (all(quantified) and quantified[0].isdisjoint(quantified[1]))
            or (numbers[0] != numbers[1] and sorted(numbers[0]) == sorted(numbers[1]))
            or next(self.opposed_function_words(), None) is not None
            or self._is_reordered
        )

    @property
    def _is_reordered(self) -> bool:
        """Whether the words correspond in another order, with the same grammar around them.

        *The dog bites the man* and *the man bites the dog*, but not *a and b* and *b and a*, nor
        *Ann's car* and *the car of Ann*.
        """
        starts = [link.two.start for link in self.links]
        if starts == sorted(starts):
            return False
        functions = [
            [
                word.lower
                for word in phrase.words
                if not word.is_content and word.lower not in ARTICLES
            ]
            for phrase in self.phrases
        ]
        return sorted(functions[0]) == sorted(functions[1]) and "and" not in functions[0]

    def opposed_function_words(self) -> Iterator[tuple[str, str]]:
        """Function words that point opposite ways: before and after, up and down.

        A word that both chunks have is opposed to none: *from 9 to 5*, *from 10 to 6*.
        """
        shared = self.phrases[0].tokens & self.phrases[1].tokens
        taken1 = {at for link in self.links for at in link.one.places}
        taken2 = {at for link in self.links for at in link.two.places}
        for at1, word1 in enumerate(self.one.words):
            for at2, word2 in enumerate(self.two.words):
                free = at1 not in taken1 and at2 not in taken2
                free = free and shared.isdisjoint((word1.lower, word2.lower))
                if free and are_opposite(word1.text, word2.text):
                    yield word1.text, word2.text

    def is_accounted_for(self, reasons: Iterable[Reason]) -> bool:
        """Whether these reasons explain for every relevant word why it means the same."""
        if self.is_turned or self.one.deciding or self.two.deciding:
            return False
        places1, places2 = set[int](), set[int]()
        for reason in reasons:
            if reason.covers:
                places1 |= reason.places1
                places2 |= reason.places2
        return all(
            places and _places_that_matter(side) <= places
            for side, places in ((self.one, places1), (self.two, places2))
        )

    def is_said_elsewhere(self, own: Side, unit: Unit) -> bool:
        """Whether the other sentence says a unit outside of its chunk, in whatever words."""
        other = self.two if own.sentence == 1 else self.one
        if is_in(own, unit, other.elsewhere):
            return True
        view, at = (self.view, self.j) if own.sentence == 1 else (self.view.swapped, self.i)
        if unit.amount is not None:
            outside = (*view.two.phrases[:at], *view.two.phrases[at + 1 :])
            found = [quantity.value for phrase in outside for quantity in phrase.quantities]
            return unit.amount.value in found
        words = own.words[unit.start : unit.end]
        return all(view.is_said_outside(word, at) for word in words if is_telling(word))

    def names_time_of_day(self, side: Side) -> bool:
        """Whether a sentence names a time of day outside of its chunk: *in the evening*."""
        sentence, place = (self.view.one, self.i) if side.sentence == 1 else (self.view.two, self.j)
        return any(
            mention.kind is DateKind.TIME_OF_DAY
            for at, phrase in enumerate(sentence.phrases)
            for mention in phrase.dates
            if at != place
        )

    @cached_property
    def _cuts(self) -> tuple[Cut, Cut]:
        one, two = self.phrases
        return cut(one, self.knowledge), cut(two, self.knowledge)

    def _side(
        self, sentence: int, phrases: tuple[Phrase, ...], place: int, links: tuple[Link, ...]
    ) -> Side:
        """The chunk from which the links are read."""
        own = self._cuts[sentence - 1]
        other = self.phrases[2 - sentence]
        used = frozenset[int]().union(*(link.one.places for link in links))
        amounts = {at for unit in own.units if unit.amount is not None for at in unit.places}
        return Side(
            sentence,
            phrases[place],
            rest=tuple(unit for unit in own.units if unit.places.isdisjoint(used)),
            elsewhere=_said(phrases, place),
            implied=_implied(own.units, other),
            deciding=deciding_words(phrases[place], other, self.one_is_negated, amounts | used),
            is_denied_outside=_is_denied_outside(phrases, place),
            linked=used,
            compounds=tuple(find_compounds(links, own, self.knowledge)),
        )


def _places_that_matter(side: Side) -> set[int]:
    """The places of the words that are informative by themselves."""
    missing = frozenset(side.missing)
    empty = {at for unit in side.rest if unit not in missing for at in unit.places}
    numerals = {unit.start for unit in missing if unit.is_numeral}
    telling = {at for at, word in enumerate(side.words) if is_telling(word) and at not in empty}
    return telling | numerals


def _is_negated(phrase: Phrase) -> bool:
    """Whether a chunk is negated: the *no* of *no more than 8* and *no doubt* negates nothing."""
    negators = polarity([word.text for word in phrase.words]).negators
    return phrase.is_negated and negators % 2 == 1


def _is_denied_outside(phrases: tuple[Phrase, ...], place: int) -> bool:
    """Whether a negation stands in the chunk before, or a denying verb anywhere outside."""
    before = [phrase for phrase in phrases[:place] if not phrase.is_wordless][-1:]
    if any(word.denies for phrase in before for word in phrase.words):
        return True
    outside = (phrase for at, phrase in enumerate(phrases) if at != place)
    return any(
        word.doubts or word.lemma in _QUITTING or (word.lemma == "give" and "up" in phrase.tokens)
        for phrase in outside
        for word in phrase.words
    )


def _implied(units: Iterable[Unit], other: Phrase) -> frozenset[str]:
    """What the other chunk says by its grammar: one as *a*, *ur* as *your*."""
    functions = [word for word in other.words if not word.is_content]
    found = {unit.text.lower() for unit in units if is_spelled(unit.text, functions)}
    if other.determiner is Determiner.INDEFINITE:
        found.add("one")
    return frozenset(found)


def is_in(own: Side, unit: Unit, said: frozenset[str]) -> bool:
    """Whether every word of a unit is said, in whatever form."""
    words = own.words[unit.start : unit.end]
    return all(word.lower in said or word.lemma in said for word in words)


def _quantifiers(side: Side) -> set[int]:
    """The kinds of quantifiers in a chunk: all of it, much of it, some of it."""
    words = {word.lower for word in side.words}
    return {kind for kind, names in enumerate(_QUANTIFIERS) if not names.isdisjoint(words)}


def _said(phrases: tuple[Phrase, ...], without: int) -> frozenset[str]:
    others = (phrase for at, phrase in enumerate(phrases) if at != without)
    return _forms(word for phrase in others for word in phrase.words)


def _forms(words: Iterable[Word]) -> frozenset[str]:
    return frozenset(form for word in words for form in (word.lower, word.lemma))
