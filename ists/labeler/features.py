"""Features of two aligned chunks: named numbers, the same for every genre.

A feature is either *one-way*, measured once from each side ("… 1", "… 2"), or *mutual*. Exchanging
the sentences therefore only permutes the features (`MIRROR`), which is how SPE1 is learnt from
SPE2 and how the answer is kept the same whichever sentence comes first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from ists.arrays import Floats, total
from ists.labeler.comparisons import MUTUAL_COMPARISONS, ONE_WAY_COMPARISONS, Comparisons
from ists.labeler.meaning import MEANING
from ists.labeler.phrases import GRAMMAR, Phrase, preposition_class
from ists.labeler.signals import MUTUAL_SIGNALS, ONE_WAY_SIGNALS, NetworkSignals
from ists.labeler.views import Counterpart, PairView
from ists.labeler.words import SAME_MEANING, MatchKind, Word
from ists.lexicon import PartOfSpeech, QuantityMatch, are_opposite, is_joined
from ists.lexicon.spelling import trigram_overlap
from ists.scored_pair import PairScores
from ists.sets import jaccard


@dataclass(frozen=True, slots=True)
class Feature:
    """Name and meaning of a feature."""

    name: str
    description: str


_MATCH_KINDS = (
    (MatchKind.EQUAL, "equal"),
    (MatchKind.SAME_LEMMA, "same lemma"),
    (MatchKind.SYNONYM, "synonym"),
    (MatchKind.DERIVED, "same family"),
    (MatchKind.NARROWER, "narrower"),
    (MatchKind.BROADER, "broader"),
    (MatchKind.OPPOSITE, "opposite"),
    (MatchKind.CONTRAST, "contrast"),
    (MatchKind.OTHER_NUMBER, "other number"),
    (MatchKind.OTHER_PLACE, "other place"),
    (MatchKind.NEAR, "near"),
    (MatchKind.NONE, "unanswered"),
)
_SIZES = (
    ("tokens", "how many tokens the chunk has"),
    ("content words", "how many content words the chunk has"),
    ("place", "where in the sentence the chunk stands, from 0 to 1"),
    ("is last", "the chunk is the last of its sentence"),
    ("chunks", "how many chunks its sentence has"),
    ("capitalised", "share of the sentence's words that begin with a capital"),
)
_SHARES = (
    *(
        (f"share {name}", f"share of words whose counterpart is: {name}")
        for _, name in _MATCH_KINDS
    ),
    ("mean strength", "mean strength of the content words' closest relations"),
)
_EXTRAS = (
    ("extra words", "content words the other chunk does not answer"),
    ("extra adjectives", "unanswered adjectives"),
    ("extra nouns", "unanswered nouns that are not the head"),
    ("extra verbs", "unanswered verbs"),
    ("extra adverbs", "unanswered adverbs"),
    ("extra numbers", "unanswered numbers"),
    ("extra names", "unanswered names"),
    ("extra places", "unanswered places and nationalities"),
    ("extra capitalised", "unanswered words that begin with a capital"),
    ("extra head", "the head itself is not answered"),
    ("extra elsewhere", "unanswered words that stand elsewhere in the other sentence"),
    ("extra nowhere", "unanswered words that stand nowhere in the other sentence"),
    ("only this side adds", "this chunk adds words and the other adds none"),
    ("contained", "every content word is said by the other chunk"),
    ("contained loosely", "every content word is said by the other chunk, or something narrower"),
    ("elsewhere", "share of content words that stand elsewhere in the other sentence"),
    ("rival overlap", "the largest lemma overlap with another chunk of the other sentence"),
)
_HEADS = (
    ("head narrower", "strength by which the head is narrower than the other head"),
    ("head in other", "the head is said by the other chunk"),
    ("head is modifier", "the head is said by the other chunk, but not as its head"),
    ("longer by", "tokens more than the other chunk has"),
    ("extra function words", "function words the other chunk does not have"),
    ("only preposition", "this chunk opens with a preposition, the other with none"),
    ("only determiner", "this chunk has an article, the other has none"),
    ("only auxiliary", "this chunk has an auxiliary, the other has none"),
    ("more exact", "this chunk says an exact number, the other a bound or an estimate"),
    ("larger quantity", "this chunk's number is the larger one"),
    ("place precise", "a word of the chunk lies inside a place of the other"),
)
_FIELDS = (
    ("person", ("noun.person",)),
    ("animal", ("noun.animal",)),
    ("thing", ("noun.artifact", "noun.object", "noun.substance", "noun.food", "noun.plant")),
    ("group", ("noun.group",)),
    ("location", ("noun.location",)),
    ("event", ("noun.act", "noun.event", "noun.process", "noun.phenomenon", "noun.state")),
    ("idea", ("noun.cognition", "noun.communication", "noun.attribute", "noun.possession")),
    ("time or measure", ("noun.time", "noun.quantity")),
    ("motion", ("verb.motion",)),
    ("posture", ("verb.stative", "verb.contact", "verb.body")),
    ("talk", ("verb.communication", "verb.cognition", "verb.perception")),
    ("deed", ("verb.social", "verb.possession", "verb.competition", "verb.creation")),
    ("change", ("verb.change", "verb.consumption", "verb.emotion", "verb.weather")),
)
_FIELD_NAMES = tuple((f"head {name}", f"the head belongs to {name}") for name, _ in _FIELDS)
_FIELD_AT = {field: at for at, (_, fields) in enumerate(_FIELDS) for field in fields}
_LEXICAL_ONE_WAY = (*_SIZES, *_SHARES, *_EXTRAS, *_HEADS, *GRAMMAR, *_FIELD_NAMES)
_LEXICAL_MUTUAL = (
    ("same text", "the chunks are equal but for case"),
    ("same content", "the same content words in the same order"),
    ("same lemmas", "the same set of lemmas"),
    ("lemma overlap", "shared lemmas against all"),
    ("token overlap", "shared tokens against all"),
    ("trigram overlap", "shared character trigrams against all"),
    ("soft overlap", "mean strength of the closest relations, both ways"),
    ("weaker soft overlap", "the smaller of the two mean strengths"),
    ("heads same", "the heads are forms of one word"),
    ("heads synonyms", "the heads are synonyms"),
    ("heads family", "the heads are one family across parts of speech"),
    ("heads opposed", "strength of the opposition between the heads"),
    ("heads contrast", "strength of the contrast between the heads"),
    ("heads strength", "strength of the heads' closest relation"),
    ("heads kinship", "how specific the heads' nearest common class is"),
    ("heads one field", "the heads belong to the same broad class"),
    ("modifiers opposed", "strongest opposition or contrast between words that are not heads"),
    ("opposites", "words with an opposite in the other chunk"),
    ("both add", "both chunks have words the other does not answer"),
    ("both quantities", "both chunks say a number"),
    ("quantities equal", "the same number"),
    ("quantities close", "numbers that may be the same"),
    ("quantities differ", "different numbers"),
    ("quantities ratio", "logarithm of the larger number by the smaller"),
    ("quantities gap", "logarithm of the numbers' difference"),
    ("counts differ", "one, two, many: the chunks speak of different counts"),
    ("counts agree", "the chunks speak of the same known count"),
    ("dates same", "the same time"),
    ("dates differ", "different times"),
    ("abbreviation", "one chunk abbreviates the other"),
    ("joined", "the chunks differ in spaces and hyphens only"),
    ("same preposition", "the same preposition"),
    ("same kind of preposition", "prepositions that often stand for each other"),
    ("other preposition", "two different prepositions"),
    ("opposite prepositions", "prepositions that point opposite ways"),
    ("same determiner", "the same kind of article"),
    ("same kind", "the same kind of phrase"),
    ("negation differs", "one chunk is negated, the other is not"),
    ("number differs", "one lemma, singular and plural"),
    ("length difference", "difference in tokens"),
    ("place distance", "how far apart the chunks stand in their sentences"),
    ("both first", "both open their sentence"),
    ("both last", "both close their sentence"),
    ("sentence overlap", "shared lemmas of the sentences against all"),
    ("chunk overlap", "chunks with the same content against all"),
    ("context overlap", "shared lemmas of the rest of the sentences against all"),
    ("sentence length difference", "difference in tokens between the sentences"),
    ("left neighbours", "lemma overlap of the chunks before"),
    ("right neighbours", "lemma overlap of the chunks after"),
)


def sided(side: int, features: Iterable[tuple[str, str]]) -> tuple[Feature, ...]:
    """Return the one-way features of one side."""
    return tuple(Feature(f"{name} {side}", f"{text} (sentence {side})") for name, text in features)


def plain(features: Iterable[tuple[str, str]]) -> tuple[Feature, ...]:
    """Return mutual features."""
    return tuple(Feature(name, text) for name, text in features)


LEXICAL = (
    *sided(1, _LEXICAL_ONE_WAY),
    *sided(2, _LEXICAL_ONE_WAY),
    *plain(_LEXICAL_MUTUAL),
)
NETWORK = (
    *sided(1, ONE_WAY_SIGNALS),
    *sided(2, ONE_WAY_SIGNALS),
    *plain(MUTUAL_SIGNALS),
)
_WHOLE_ONE_WAY = (*ONE_WAY_COMPARISONS, *MEANING)
WHOLE = (
    *sided(1, _WHOLE_ONE_WAY),
    *sided(2, _WHOLE_ONE_WAY),
    *plain(MUTUAL_COMPARISONS),
)
FEATURES = (*LEXICAL, *NETWORK, *WHOLE)
WHOLE_FROM = len(LEXICAL) + len(NETWORK)
"""Index of the first feature of `WHOLE`."""
FEATURE_GROUPS = {
    "lexical": range(len(LEXICAL)),
    "network": range(len(LEXICAL), WHOLE_FROM),
    "comparisons": range(WHOLE_FROM, len(FEATURES)),
}
"""Columns of the groups of features: of words, of the network's labels, of chunks as wholes."""
NAMES = tuple(feature.name for feature in FEATURES)


def mirror_of(start: int, one_way: int, mutual: int) -> tuple[int, ...]:
    """Return the indices of a block of features with its two one-way parts exchanged."""
    middle, rest = start + one_way, start + 2 * one_way
    return (*range(middle, rest), *range(start, middle), *range(rest, rest + mutual))


MIRROR = (
    *mirror_of(0, len(_LEXICAL_ONE_WAY), len(_LEXICAL_MUTUAL)),
    *mirror_of(len(LEXICAL), len(ONE_WAY_SIGNALS), len(MUTUAL_SIGNALS)),
    *mirror_of(WHOLE_FROM, len(_WHOLE_ONE_WAY), len(MUTUAL_COMPARISONS)),
)
"""``row[list(MIRROR)]`` is the row of the same chunks with the sentences exchanged."""


def feature_matrix(
    view: PairView,
    scores: PairScores,
    links: Sequence[tuple[int, int]],
    compare: bool = True,
) -> Floats:
    """Return (links, features): one row per pair of chunks.

    Without `compare`, the features of `ists.labeler.comparisons` are 0, which saves their cost for
    models that do not use them.
    """
    rows = np.zeros((len(links), len(FEATURES)), np.float32)
    if not links:
        return rows
    begin, end = len(LEXICAL), WHOLE_FROM
    signals = NetworkSignals(scores)
    comparisons = Comparisons(view) if compare else None
    for row, (i, j) in enumerate(links):
        rows[row, :begin] = lexical_features(view, i, j)
        rows[row, begin:end] = signals.features(i, j)
        if comparisons is not None:
            rows[row, end:] = comparisons.features(i, j)
    return rows


def lexical_features(view: PairView, i: int, j: int) -> tuple[float, ...]:
    """Return the features of chunks `i` and `j` that need no network, in the order of `LEXICAL`."""
    ours, theirs = view.counterparts(i, j), view.swapped.counterparts(j, i)
    extra1, extra2 = ([one.word for one in found if one.is_extra] for found in (ours, theirs))
    overlaps = view.lemma_overlaps
    rivals1 = (*overlaps[i][:j], *overlaps[i][j + 1 :])
    rivals2 = [row[j] for at, row in enumerate(overlaps) if at != i]
    return (
        *_one_way(view, i, j, ours, extra1, bool(extra2), max(rivals1, default=0.0)),
        *_one_way(view.swapped, j, i, theirs, extra2, bool(extra1), max(rivals2, default=0.0)),
        *_mutual(view, i, j, ours, theirs, bool(extra1 and extra2)),
    )


_Found = tuple[Counterpart, ...]


def _one_way(
    view: PairView,
    i: int,
    j: int,
    ours: _Found,
    extra: list[Word],
    other_adds: bool,
    rival: float,
) -> tuple[float, ...]:
    own, other = view.one.phrases[i], view.two.phrases[j]
    chunks = len(view.one.phrases)
    return (
        float(len(own.words)),
        float(len(own.content)),
        (i + 0.5) / chunks,
        float(i == chunks - 1),
        float(chunks),
        view.one.capitalised,
        *_shares(ours),
        *_extras(view, i, j, extra),
        bool(extra) and not other_adds,
        *_contained(ours, view.two.lemmas_outside[j]),
        rival,
        *_head_features(view, own, other, ours),
        *own.grammar,
        *head_fields(own.head),
    )


def _shares(ours: _Found) -> list[float]:
    shares = [0.0] * (len(_MATCH_KINDS) + 1)
    if not ours:
        return shares
    for found in ours:
        shares[found.kind] += 1
        shares[-1] += found.strength
    count = len(ours)
    return [share / count for share in shares]


def _extras(view: PairView, i: int, j: int, extra: list[Word]) -> tuple[float, ...]:
    if not extra:
        return _NO_EXTRA
    head = view.one.phrases[i].head
    outside = sum(view.is_said_outside(word, j) for word in extra)
    parts = [word.pos for word in extra]
    return (
        len(extra),
        parts.count(PartOfSpeech.ADJECTIVE),
        sum(word.pos is PartOfSpeech.NOUN and word is not head for word in extra),
        parts.count(PartOfSpeech.VERB),
        parts.count(PartOfSpeech.ADVERB),
        sum(word.is_number for word in extra),
        sum(word.is_name for word in extra),
        sum(word.is_place for word in extra),
        sum(word.text[:1].isupper() for word in extra),
        head in extra,
        outside,
        len(extra) - outside,
    )


_NO_EXTRA = (0.0,) * 12


def _contained(ours: _Found, elsewhere: frozenset[str]) -> tuple[float, float, float]:
    if not ours:
        return 0.0, 0.0, 0.0
    farthest = max(found.kind for found in ours)
    return (
        farthest <= SAME_MEANING,
        farthest <= MatchKind.BROADER,
        sum(found.word.lemma in elsewhere for found in ours) / len(ours),
    )


def _head_features(view: PairView, own: Phrase, other: Phrase, ours: _Found) -> tuple[float, ...]:
    head, other_head = own.head, other.head
    narrower = 0.0
    if head is not None and other_head is not None:
        narrower = view.knowledge.match(head.text, other_head.text).narrower
    answered = next((found for found in ours if found.word is head), None)
    said = answered is not None and answered.is_same
    no_article = other.grammar[_INDEFINITE_AT] + other.grammar[_DEFINITE_AT] == 0
    no_auxiliary = other.grammar[_BE_AT] + other.grammar[_HAVE_AT] == 0
    larger = bool(own.quantities and other.quantities) and (
        own.quantities[0].value > other.quantities[0].value
    )
    return (
        narrower,
        said,
        said and answered is not None and answered.partner is not other_head,
        max(0, len(own.words) - len(other.words)),
        len(own.functions - other.functions),
        bool(own.preposition) and not other.preposition,
        no_article and own.grammar[_INDEFINITE_AT] + own.grammar[_DEFINITE_AT] > 0,
        no_auxiliary and own.grammar[_BE_AT] + own.grammar[_HAVE_AT] > 0,
        bool(own.quantities) and other.grammar[_INEXACT_AT] and not own.grammar[_INEXACT_AT],
        larger,
        sum(found.kind is MatchKind.NARROWER and found.word.is_place for found in ours),
    )


_GRAMMAR_AT = {name: at for at, (name, _) in enumerate(GRAMMAR)}
_INDEFINITE_AT, _DEFINITE_AT = _GRAMMAR_AT["indefinite"], _GRAMMAR_AT["definite"]
_INEXACT_AT = _GRAMMAR_AT["inexact"]
_BE_AT, _HAVE_AT = _GRAMMAR_AT["be"], _GRAMMAR_AT["have"]


def head_fields(head: Word | None) -> list[float]:
    """Return the features of the broad class of a chunk's head."""
    flags = [0.0] * len(_FIELDS)
    at = _FIELD_AT.get(head.field) if head is not None else None
    if at is not None:
        flags[at] = 1.0
    return flags


def _mutual(
    view: PairView, i: int, j: int, ours: _Found, theirs: _Found, both_add: bool
) -> tuple[float, ...]:
    own, other = view.one.phrases[i], view.two.phrases[j]
    return (
        *_surface(view, i, j, ours, theirs),
        *_heads_together(view, own, other),
        *_oppositions(own, other, ours, theirs),
        both_add,
        *quantity_features(own, other),
        *date_features(own, other),
        *_grammar_together(view, own, other),
        *_places(view, i, j),
    )


def _mean_strength(found: _Found) -> float:
    return total(one.strength for one in found) / len(found) if found else 0.0


def _surface(view: PairView, i: int, j: int, ours: _Found, theirs: _Found) -> tuple[float, ...]:
    own, other = view.one.phrases[i], view.two.phrases[j]
    strengths = _mean_strength(ours), _mean_strength(theirs)
    return (
        float(own.text == other.text),
        float(bool(own.content) and own.content_lowers == other.content_lowers),
        float(bool(own.lemmas) and own.lemmas == other.lemmas),
        view.lemma_overlaps[i][j],
        jaccard(own.tokens, other.tokens),
        trigram_overlap(own.trigram_text, other.trigram_text),
        (strengths[0] + strengths[1]) / 2,
        min(strengths),
    )


def _heads_together(view: PairView, own: Phrase, other: Phrase) -> tuple[float, ...]:
    if own.head is None or other.head is None:
        return (0.0,) * 8
    heads = own.head.text, other.head.text
    match = view.knowledge.match(*heads)
    return (
        float(match.kind <= MatchKind.SAME_LEMMA),
        float(match.kind is MatchKind.SYNONYM),
        float(match.kind is MatchKind.DERIVED),
        match.opposite,
        match.contrast,
        match.strength,
        view.knowledge.kinship(*heads),
        float(bool(own.head.field) and own.head.field == other.head.field),
    )


def _oppositions(own: Phrase, other: Phrase, ours: _Found, theirs: _Found) -> tuple[float, float]:
    strongest = 0.0
    opposed = 0
    for found in (*ours, *theirs):
        if found.kind in (MatchKind.OPPOSITE, MatchKind.CONTRAST):
            opposed += 1
            if found.word is not own.head and found.word is not other.head:
                strongest = max(strongest, found.strength)
    return strongest, float(opposed)


def quantity_features(own: Phrase, other: Phrase) -> tuple[float, ...]:
    """Return the features from `both quantities` to `counts agree`."""
    counts = own.count, other.count
    known = 0.0 not in counts
    differ, agree = float(known and counts[0] != counts[1]), float(known and counts[0] == counts[1])
    if not own.quantities or not other.quantities:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, differ, agree
    one, two = own.quantities[0], other.quantities[0]
    match = one.compare(two)
    low, high = sorted((abs(one.value), abs(two.value)))
    return (
        1.0,
        float(match is QuantityMatch.EQUAL),
        float(match is QuantityMatch.APPROXIMATE),
        float(match in (QuantityMatch.DIFFERENT, QuantityMatch.INCOMPARABLE)),
        log((high + 1) / (low + 1)),
        log(1 + high - low),
        differ,
        agree,
    )


def date_features(own: Phrase, other: Phrase) -> tuple[float, ...]:
    """Return the features `dates same` and `dates differ`."""
    if not own.dates or not other.dates:
        return 0.0, 0.0
    one, two = own.date_values, other.date_values
    common = one.keys() & two.keys()
    same = bool(common) and all(one[kind] == two[kind] for kind in common)
    return float(same), float(bool(common) and not same)


def _grammar_together(view: PairView, own: Phrase, other: Phrase) -> tuple[float, ...]:
    prepositions = own.preposition, other.preposition
    both = all(prepositions)
    same = both and prepositions[0] == prepositions[1]
    head, other_head = own.head, other.head
    one_lemma = head is not None and other_head is not None and head.lemma == other_head.lemma
    texts, other_texts = own.content_texts, other.content_texts
    return (
        view.knowledge.lexicon.abbreviates(texts, other_texts) if texts != other_texts else 0,
        is_joined(texts, other_texts),
        same,
        both and len({preposition_class(name) for name in prepositions}) == 1,
        both and not same,
        both and are_opposite(*prepositions),
        own.determiner is other.determiner,
        own.kind is other.kind,
        own.is_negated != other.is_negated,
        one_lemma and own.grammar[_PLURAL_AT] != other.grammar[_PLURAL_AT],
        abs(len(own.words) - len(other.words)),
    )


_PLURAL_AT = _GRAMMAR_AT["head plural"]


def _places(view: PairView, i: int, j: int) -> tuple[float, ...]:
    chunks1, chunks2 = len(view.one.phrases), len(view.two.phrases)
    overlaps = view.lemma_overlaps
    rest = view.one.lemmas_outside[i], view.two.lemmas_outside[j]
    last1, last2 = i == chunks1 - 1, j == chunks2 - 1
    return (
        abs((i + 0.5) / chunks1 - (j + 0.5) / chunks2),
        float(i == 0 and j == 0),
        float(last1 and last2),
        view.overlap,
        view.chunk_overlap,
        jaccard(*rest),
        float(abs(view.one.tokens - view.two.tokens)),
        overlaps[i - 1][j - 1] if i and j else -1.0,
        -1.0 if last1 or last2 else overlaps[i + 1][j + 1],
    )
