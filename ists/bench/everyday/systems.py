"""Systems to evaluate: models, the pilot's baseline, or outputs of a cross-validation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from ists.bench.everyday.themes import Scenario, Theme
from ists.bench.report import digest
from ists.errors import FormatError
from ists.files import reject_no_folder
from ists.formats import read
from ists.formats.problems import problem_at
from ists.formats.rows import rows
from ists.formats.text import shown
from ists.models import CARD, open_model
from ists.pairs import Alignment, Evidence, SentencePair
from ists.pipeline import KIND, Aligner, BaselineAligner
from ists.seen import Seen

_CROSSVAL_NAMES: Mapping[Scenario, str] = {
    "gold chunks": "gold_chunks",
    "system chunks": "own_chunks",
}
"""Names of the scenarios in the output files of ``ists crossval``."""


class System(Protocol):
    """A source of aligned pairs for a theme."""

    @property
    def name(self) -> str:
        """The name in tables."""

    @property
    def identity(self) -> str:
        """The name in the signature, with a hash of the model or outputs if there are any."""

    @property
    def seen(self) -> Seen:
        """The training data, on which figures are not a valid test."""

    def align(self, theme: Theme, scenario: Scenario) -> list[SentencePair]:
        """Return the aligned pairs of a theme, in order."""


@dataclass(frozen=True)
class ModelSystem:
    """A trained aligner."""

    aligner: Aligner
    name: str

    @classmethod
    def of(cls, aligner: Aligner) -> "ModelSystem":
        """Create a system with the name of the aligner's model."""
        return cls(aligner, aligner.model.name)

    @cached_property
    def identity(self) -> str:
        """The name with the hash of the model's card, which has the hashes of its files."""
        return f"{self.name}#{digest([self.aligner.model.folder / CARD])}"

    @cached_property
    def seen(self) -> Seen:
        """The training pairs that the model's folder lists."""
        return Seen.by(self.aligner.model)

    def align(self, theme: Theme, scenario: Scenario) -> list[SentencePair]:
        """Run the aligner."""
        return list(self.aligner.align_many(theme.inputs(scenario)))


@dataclass(frozen=True)
class Baseline:
    """The pilot's baseline; it chunks raw sentences with the shipped chunker."""

    aligner: BaselineAligner = field(default_factory=BaselineAligner)
    name: str = "baseline"
    identity: str = "baseline"
    seen: Seen = field(default_factory=Seen)

    def align(self, theme: Theme, scenario: Scenario) -> list[SentencePair]:
        """Run the baseline."""
        return list(self.aligner.align_many(theme.inputs(scenario)))


@dataclass(frozen=True)
class CrossValidated:
    """Outputs of ``ists crossval GOLD… -o FOLDER``: each pair by a model not trained on it."""

    folder: Path
    themes: Sequence[Theme]
    name: str = "cross-validated"
    seen: Seen = field(default_factory=Seen)

    @cached_property
    def identity(self) -> str:
        """The name with the hash of the outputs."""
        files = (
            self._file(theme, scenario) for theme in self.themes for scenario in _CROSSVAL_NAMES
        )
        return f"{self.name}#{digest(files)}"

    def align(self, theme: Theme, scenario: Scenario) -> list[SentencePair]:
        """Read the outputs; ids and tokens must be those of the gold pairs."""
        file = self._file(theme, scenario)
        pairs = list(_with_confidences(file) if file.suffix == ".jsonl" else read(file))
        found = {pair.id: pair for pair in pairs}
        for gold in theme.pairs:
            if gold.id not in found:
                raise FormatError(f"lacks pair {gold.id} of {theme.file}", str(file))
            _check_sentences(gold, found[gold.id], theme)
        for pair in pairs:
            if pair.id not in theme.ids:
                raise problem_at(pair, None, f"is not in {theme.file}").error()
        return [found[gold.id] for gold in theme.pairs]

    def _file(self, theme: Theme, scenario: Scenario) -> Path:
        """Return the JSONL file, which has confidences, if it exists, else the ``.wa`` file."""
        corpus = theme.name.rpartition(".")[2]  # as `ists crossval` names it
        stem = f"{corpus}.{_CROSSVAL_NAMES[scenario]}"
        jsonl = self.folder / f"{stem}.jsonl"
        return jsonl if jsonl.exists() else self.folder / f"{stem}.wa"


def load_models(names: Sequence[str]) -> tuple[list[ModelSystem], list[str]]:
    """Load each model once; also return notes on names of the same model."""
    opened = [(name, open_model(name, KIND)) for name in names]
    models = {model.folder.resolve(): model for _, model in opened}
    own_names = [model.name for model in models.values()]
    systems, notes = [], []
    for folder, model in models.items():
        called = list(dict.fromkeys(name for name, one in opened if one.folder.resolve() == folder))
        name = model.name if own_names.count(model.name) == 1 else called[0]
        systems.append(ModelSystem(Aligner(model), name))
        if len(called) > 1:
            notes.append(f"{' and '.join(called)} are one model, which is run once.")
    return systems, notes


def cross_validated(folder: Path, themes: Sequence[Theme]) -> CrossValidated:
    """Return the outputs of a cross-validation on these themes; the folder must exist."""
    reject_no_folder(folder)
    return CrossValidated(folder, themes)


def _check_sentences(gold: SentencePair, system: SentencePair, theme: Theme) -> None:
    for side, theirs, ours in (
        (1, gold.sentence1, system.sentence1),
        (2, gold.sentence2, system.sentence2),
    ):
        if theirs.words != ours.words:
            reason = f"the tokens of sentence {side} are not those of {theme.file}"
            raise problem_at(system, None, reason).error()


def _with_confidences(file: Path) -> Iterator[SentencePair]:
    for pair, row in zip(read(file), rows(file, "jsonl"), strict=True):
        try:
            records = row.record()["alignments"]
            alignments = map(_add_evidence, pair.alignments, records)
            yield replace(pair, alignments=tuple(alignments))
        except FormatError as error:
            raise FormatError(f"pair {pair.id}: {error.reason}", row.file, row.line) from None


def _add_evidence(alignment: Alignment, record: Mapping[str, Any]) -> Alignment:
    confidence = record.get("confidence")
    if confidence is None:
        return alignment
    if not isinstance(confidence, dict):
        raise FormatError(f"'confidence' is {shown(str(confidence))}, expected a JSON object")
    link = None if confidence.get("link") is None else _share(confidence, "link")
    return replace(alignment, evidence=Evidence(link, _share(confidence, "label")))


def _share(confidence: Mapping[str, Any], key: str) -> float:
    value = confidence.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise FormatError(f"confidence of the {key} {shown(str(value))}, expected 0 to 1")
    return float(value)
