import json

from ists import read
from ists.pairs import Relation
from tests.golden import outputs


def what_changed() -> str:
    then, now = json.loads(outputs.MADE_WITH.read_text()), outputs.made_with()
    changed = [
        f"{name}: {then.get(name)} → {now[name]}" for name in now if then.get(name) != now[name]
    ]
    return "; ".join(changed) or "neither models nor packages: the code, or another processor"


def test_the_models_make_the_golden_outputs():
    """If this is meant: make golden, and read the difference."""
    for file, made in ((outputs.ALIGNED, outputs.aligned()), (outputs.CHUNKED, outputs.chunked())):
        golden = file.read_bytes()
        missing = [data.decode("utf-8", "replace") for data in made if data not in golden]
        assert golden == b"".join(made), (
            f"{file.name}: {len(missing)} of {len(made)} came out differently. "
            f"Changed since: {what_changed()}. First: {''.join(missing[:1])}"
        )


def test_the_golden_pairs_cover_every_label():
    pairs = list(read(outputs.ALIGNED))
    assert len(pairs) == 60
    labels = {alignment.relation for pair in pairs for alignment in pair.alignments}
    assert labels == set(Relation)
    assert not [problem for pair in pairs for problem in pair.violations()]
