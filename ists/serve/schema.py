"""Data types of the API, as pydantic models: they validate options and document the rest.

Pairs themselves are read by `ists.formats.sentences`, as those of JSONL files are.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ists.chunker.tokens import Tokenization
from ists.pairs import Edition, Flag, Relation
from ists.similarity import Scale
from scorer.measures import Match

Sentence = Annotated[str, Field(description="A sentence; bracketed chunks are kept as chunks.")]
Token = Annotated[str, Field(pattern=r"^\S+$")]
Tokens = Annotated[list[Token], Field(description="A sentence as tokens without white space.")]
Chunks = Annotated[
    list[Annotated[list[Token], Field(min_length=1)]],
    Field(description="A sentence as chunks, which are kept."),
]
Score = Annotated[float, Field(ge=0, le=5)]
Share = Annotated[float, Field(ge=0, le=1)]


class _Options(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PairOptions(_Options):
    """Options of all requests that align pairs."""

    model: str | None = Field(None, description="The aligner (see /v1/models), or baseline.")
    tokens: Tokenization = Field("auto", description="How to split text into tokens.")
    threshold: Share | None = Field(
        None, description="Align chunks only above this probability (default: the model's own)."
    )
    edition: Edition = Field(
        "2015",
        description=(
            "2015: each chunk is linked at most once. 2016: several chunks may be linked together."
        ),
    )


class AlignOptions(PairOptions):
    """Options of /v1/align."""

    why: bool = Field(False, description="Add the evidence for each decision.")
    matrix: bool = Field(False, description="Add the chunk × chunk link scores.")
    format: Literal["json", "ndjson", "wa", "xml"] | None = Field(
        None, description="Output format (default: that of the request)."
    )


class SimilarityOptions(PairOptions):
    """Options of /v1/similarity."""

    scale: Scale = Field("0-5", description="The scale of the scores.")
    format: Literal["json", "ndjson"] | None = Field(
        None, description="Output format (default: that of the request)."
    )


class ExplainOptions(PairOptions):
    """Options of /v1/explain."""

    details: bool = Field(
        False, description="Add tokens, contributions and the features that weighed most."
    )
    format: Literal["json", "ndjson", "svg"] | None = Field(
        None,
        description="Output format (default: that of the request); svg: a picture of one pair.",
    )
    width: int = Field(960, ge=240, le=4000, description="With svg: maximum width of the picture.")


class ChunkOptions(_Options):
    """Options of /v1/chunk."""

    tokens: Tokenization = Field("auto", description="How to split text into tokens.")
    types: bool = Field(False, description="Add the type of each chunk and the part of speech.")
    format: Literal["json", "ndjson"] | None = Field(
        None, description="Output format (default: that of the request)."
    )


class ScoreOptions(_Options):
    """Options of /v1/score."""

    match: Match = Field("strict", description="How strictly Typ+Sco compares relations.")
    by_label: bool = Field(False, description="Add precision, recall and F1 of each relation.")
    confusion: bool = Field(False, description="Add gold × system labels.")
    per_pair: bool = Field(False, description="Add the four F1 of each pair.")
    bootstrap: int | None = Field(
        None, ge=1, le=10_000, description="Add confidence intervals from so many samples."
    )


class PairIn(BaseModel):
    """Two sentences: each as text, tokens or chunks."""

    id: str | int | None = Field(None, description="Default: the number of the pair.")
    sentence1: Sentence | None = None
    sentence2: Sentence | None = None
    tokens1: Tokens | None = None
    tokens2: Tokens | None = None
    chunks1: Chunks | None = None
    chunks2: Chunks | None = None


class SentenceIn(BaseModel):
    """A sentence as text or tokens."""

    sentence: Sentence | None = None
    tokens: Tokens | None = None


class Confidence(BaseModel):
    """Probabilities that the link and the label are right; a chunk left alone has no link."""

    link: Share | None
    label: Share


class AlignmentOut(BaseModel):
    """Two aligned chunks, or one that is left alone (the other is empty)."""

    tokens1: list[int] = Field(description="Token numbers from 1.")
    tokens2: list[int] = Field(description="Token numbers from 1.")
    relation: Relation
    flags: list[Flag]
    score: Score | None
    comment: str | None
    confidence: Confidence | None = None
    why: list[str] | None = None


class PairOut(BaseModel):
    """An aligned pair, as in JSONL files."""

    id: str
    status: str
    sentence1: str
    sentence2: str
    tokens1: list[str]
    tokens2: list[str]
    text1: str | None = Field(None, description="The original text, where it was given.")
    text2: str | None = Field(None, description="The original text, where it was given.")
    offsets1: list[tuple[int, int]] | None = Field(None, description="Each token in text1.")
    offsets2: list[tuple[int, int]] | None = Field(None, description="Each token in text2.")
    alignments: list[AlignmentOut]
    matrix: list[list[float]] | None = None


class ContributingAlignment(AlignmentOut):
    """An alignment with its part of the similarity."""

    contribution: float = Field(description="Contributions add up to the similarity.")
    share: float = Field(description="The part of the scale that its words stand for.")


class SimilarityOut(PairOut):
    """An aligned pair with the similarity of its sentences."""

    similarity: float
    scale: Scale
    alignments: list[ContributingAlignment]  # type: ignore[assignment]


class EvidenceOut(BaseModel):
    """One piece of evidence, in words."""

    kind: str
    words1: list[str]
    words2: list[str]
    text: str


class FeatureOut(BaseModel):
    """A feature that pulled towards the relation given."""

    name: str
    description: str
    value: float
    pull: float


class ExplainedAlignment(BaseModel):
    """An alignment with the evidence for its label."""

    chunk1: str | None
    chunk2: str | None
    tokens1: list[int]
    tokens2: list[int]
    relation: Relation
    flags: list[Flag]
    score: Score | None
    confidence: Confidence | None = None
    evidence: list[EvidenceOut]
    text: str
    meaning: str | None = Field(None, description="With details: the relation in plain words.")
    contribution: float | None = Field(None, description="With details.")
    share: float | None = Field(None, description="With details.")
    features: list[FeatureOut] | None = Field(None, description="With details.")


class ExplanationOut(BaseModel):
    """An explanation, as ``ists explain --format json`` gives it."""

    id: str
    sentence1: str
    sentence2: str
    similarity: Score | None = Field(None, description="Not given by the baseline.")
    alignments: list[ExplainedAlignment]
    text: list[str]
    tokens1: list[str] | None = Field(None, description="With details.")
    tokens2: list[str] | None = Field(None, description="With details.")
    english: bool | None = Field(
        None, description="With details: false if most words are not English."
    )


class ChunkedOut(BaseModel):
    """A sentence as chunks."""

    tokens: list[str]
    chunks: list[list[str]]
    types: list[str] | None = None
    pos: list[str] | None = None


class ScoreIn(BaseModel):
    """A gold and a system file: the text of a .wa file, or aligned pairs as in JSONL."""

    gold: str | list[dict[str, Any]]
    system: str | list[dict[str, Any]]


class ScoreOut(BaseModel):
    """The four F1, as ``ists score --format json`` gives them."""

    model_config = ConfigDict(extra="allow")

    signature: str = Field(description="The gold file with its hash, the options and the version.")
    systems: list[dict[str, Any]] = Field(description="The figures of each system file, unrounded.")
    warnings: list[str] = Field(
        description="What is irregular in the files and was scored all the same: missing and other "
        "pairs, other tokens, invalid lines."
    )


class ModelOut(BaseModel):
    """A model that can be chosen."""

    name: str
    description: str
    default: bool
    language: str
    threshold: float | None = Field(description="The model's own link threshold.")
    similarity: bool = Field(description="Whether it gives similarities.")
    groups: bool = Field(description="Whether it links several chunks together in edition 2016.")


class HealthOut(BaseModel):
    """The state of the server."""

    status: Literal["ok", "loading", "stopping"]
    version: str


class ErrorOut(BaseModel):
    """What is wrong and what was expected."""

    error: str
