"""The pilot's baseline (task paper, section 4.2).

Identical lower-cased tokens are linked, links are counted for each chunk pair, and a matching with
the most links is aligned as EQUI with score 5. Unaligned chunks are ALIC if they have links, else
NOALI.
"""

from collections import Counter

from ists.aligner.matching import match
from ists.aligner.surface import wordless
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair, commented


def align(
    pair_id: str,
    sentence1: Sentence,
    sentence2: Sentence,
    chunks1: tuple[Chunk, ...],
    chunks2: tuple[Chunk, ...],
) -> SentencePair:
    """Align two chunked sentences by their identical tokens."""
    words1, words2 = _words(sentence1, chunks1), _words(sentence2, chunks2)
    links = [[(one & other).total() for other in words2] for one in words1]
    matched = match(links)
    partners1, partners2 = {i for i, _ in matched}, {j for _, j in matched}
    alignments = [Alignment(chunks1[i], chunks2[j], Relation.EQUI, 5.0) for i, j in matched]
    for i, chunk in enumerate(chunks1):
        if i not in partners1:
            alignments.append(Alignment(chunk, None, _alone(any(links[i]))))
    for j, chunk in enumerate(chunks2):
        if j not in partners2:
            alignments.append(Alignment(None, chunk, _alone(any(row[j] for row in links))))
    return SentencePair(pair_id, sentence1, sentence2, commented(alignments, sentence1, sentence2))


def _words(sentence: Sentence, chunks: tuple[Chunk, ...]) -> list[Counter[str]]:
    """Count the words of each chunk, without punctuation."""
    return [
        Counter(
            word
            for word in (sentence.words[token - 1].lower() for token in chunk.tokens)
            if not wordless(word)
        )
        for chunk in chunks
    ]


def _alone(linked: bool) -> Relation:
    return Relation.ALIC if linked else Relation.NOALI
