"""spaCy pipeline component that writes chunks to ``doc.spans["chunks"]``.

    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("ists_chunker")
    doc = nlp("A cat sits on the mat.")
    [(span.text, span.label_) for span in doc.spans["chunks"]]

Each span is labelled with its chunk type. spaCy's tokens are used. Keep a reference to the document
as long as its spans are used. The package registers the factory as an entry point: this module need
not be imported to add the component or to load a pipeline with it.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate, islice

from spacy.language import Language
from spacy.tokens import Doc, Span

from ists.chunker.tagger import DEFAULT_MODEL, ChunkedSentence, Chunker

SPANS_KEY = "chunks"


class ChunkerComponent:
    """spaCy component that chunks documents."""

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        self._chunker = Chunker.load(model)

    def __call__(self, doc: Doc) -> Doc:
        """Add the chunks of one document."""
        return _add_chunks(doc, self._chunker.chunk(_words(doc)))

    def pipe(self, docs: Iterable[Doc], batch_size: int = 32) -> Iterator[Doc]:
        """Add the chunks of many documents, in batches."""
        waiting = iter(docs)
        while batch := list(islice(waiting, batch_size)):
            chunked = self._chunker.chunk_many(map(_words, batch), batch_size)
            yield from map(_add_chunks, batch, chunked)


def _words(doc: Doc) -> list[str]:
    return [token.text for token in doc if not token.is_space]


def _add_chunks(doc: Doc, sentence: ChunkedSentence) -> Doc:
    positions = [token.i for token in doc if not token.is_space]
    ends = list(accumulate(len(chunk) for chunk in sentence.chunks))
    doc.spans[SPANS_KEY] = [
        Span(doc, positions[end - len(chunk)], positions[end - 1] + 1, label=type_)
        for chunk, end, type_ in zip(sentence.chunks, ends, sentence.types, strict=True)
    ]
    return doc


@Language.factory("ists_chunker", default_config={"model": DEFAULT_MODEL})
def make_chunker(nlp: Language, name: str, model: str) -> ChunkerComponent:
    """Create the component for ``nlp.add_pipe("ists_chunker")``."""
    return ChunkerComponent(model)
