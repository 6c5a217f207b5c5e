"""Every command in the documents runs and prints what is shown below it."""

import ast
import json
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from ists import read
from ists.annotate import server
from ists.cli.annotate import _DEFAULT_PORT
from tests.conftest import EXAMPLES
from tests.docs import shown
from tests.docs.conftest import Run, example_pairs
from tests.docs.shown import Block, Command

_TUTORIAL = "docs/tutorial.md"
_SERVER = "serves a page until it is ended: run up to there, below"
_RAY = "starts Ray: tests/runs/test_on_ray.py"
_NOT_OURS = "needs a data set that is not ours: tests/bench"
_TRAINING = "trains networks: tests/train"
_JQ = "needs jq: what it is asked for is looked up, below"

NOT_RUN = {
    "ists annotate s1.txt s2.txt -o gold.wa": _SERVER,
    "ists annotate s1.txt s2.txt -o gold.wa --suggest default": _SERVER,
    "ists annotate gold.wa": _SERVER,
    "ists annotate gold.wa --edition 2016": _SERVER,
    "ists annotate s1.txt s2.txt -o gold.wa --suggest default --order uncertain": _SERVER,
    "ists annotate s1.txt s2.txt --assign work --annotators anna,ben --overlap 20": _SERVER,
    "ists annotate --assign work --export exported": "needs that folder: tests/cli",
    "ists annotate --adjudicate anna.wa ben.wa -o gold.wa": "serves a page: tests/cli",
    "ists annotate system.wa -o corrected.wa": _SERVER,
    "ists serve": "serves a page until it is stopped: tests/serve",
    "ists align pairs.parquet -o aligned --engine ray": _RAY,
    "ists align pairs.parquet -o aligned --engine ray --address auto": _RAY,
    "ists align pairs/ -o aligned --engine ray --address auto --workers 200": _RAY,
    "ists bench sts sts/2015": _NOT_OURS,
    "ists bench stss131 stss131.tsv --plot scatter.svg": _NOT_OURS,
    "ists bench str2021 sem_text_rel_ranked.csv": _NOT_OURS,
    "ists bench all data -o report": _NOT_OURS,
    "ists bench pilot semeval2015/test": _NOT_OURS,
    "ists bench pilot2016 semeval2016/test": _NOT_OURS,
    "ists train groups my-aligner answers-students.wa headlines.wa images.wa --scores-of pilot": (
        _TRAINING
    ),
    "ists annotate pairs.csv --columns left,right -o gold.wa": "serves a page: tests/cli",
    "ists train aligner gold.wa --conll conll2000/train.txt -o my-aligner": _TRAINING,
    "ists crossval DIR/*.wa -o judged": _TRAINING,
    "ists crossval train/*.wa --conll conll2000/train.txt -o judged": _TRAINING,
    "ists bench everyday DIR --cross-validated judged": _TRAINING,
    "ists agreement anna.wa ben.wa --format json | jq .relations.kappa": _JQ,
}
"""Commands that a test cannot run, and why."""

NO_COMMANDS = {
    "make demo": "sets up an environment",
    "make test ": "sets up an environment and runs these tests",
    'eval "$(_ISTS_COMPLETE=bash_source ists)"': "changes an interactive shell: test_help.py",
    "out.wa: a run was stopped after ": "an error message: test_shown_formats.py",
    '{"file": "pairs.tsv", "line": 4, ': "a file's line: test_shown_formats.py",
    '<sentence id="6" status="">': "a format: test_shown_formats.py",
}
"""How blocks begin that are neither Python nor have commands of ours, and why they are there."""

_OTHER_TESTS = {"docs/serving.md": "requests to a running server: tests/serve"}
"""Documents whose blocks are tested elsewhere, and where."""

BLOCKS = [
    block
    for document in shown.DOCUMENTS
    if document not in _OTHER_TESTS
    for block in shown.blocks(document, shown.text_of(document))
]
COMMANDS = [command for block in BLOCKS for command in shown.commands(block)]


RUN = [command for command in COMMANDS if command.bare not in NOT_RUN]


@pytest.mark.parametrize("command", [c for c in RUN if c.document != _TUTORIAL], ids=str)
def test_a_command_prints_what_is_shown(command: Command, desk, run):
    check(command, run)


def test_the_commands_of_the_tutorial_print_what_is_shown(desk, run):
    """One after another: each uses the files of those before it."""
    for command in RUN:
        if command.document == _TUTORIAL:
            check(command, run)


def check(command: Command, run: Run) -> None:
    outcome = run(command.text)
    assert outcome.code == 0, outcome.err
    if command.output:
        assert shown.agrees(command.output, outcome.out), outcome.out


@pytest.mark.parametrize("command", NOT_RUN)
def test_what_is_not_run_is_in_the_documents(command):
    assert command in {command.bare for command in COMMANDS}


@pytest.fixture
def no_serving(monkeypatch):
    """A server ends as soon as it has begun, at whatever port is free."""
    monkeypatch.setattr(server, "listen", lambda port, listen=server.listen: listen(0))
    monkeypatch.setattr(server.Server, "run", lambda self: None)


@pytest.mark.parametrize(
    "command", [c for c in COMMANDS if NOT_RUN.get(c.bare) == _SERVER], ids=str
)
def test_a_server_says_what_is_shown(command: Command, desk, run, no_serving):
    if "s1.txt" in command.bare:
        (desk / "gold.wa").unlink()  # which is yet to be made
    outcome = run(command.text)
    assert outcome.code == 0, outcome.err
    if command.output:
        seen = outcome.err + re.sub(r"(?<=127.0.0.1:)\d+", str(_DEFAULT_PORT), outcome.out)
        assert shown.agrees(command.output, seen), seen


def test_what_jq_is_asked_for_is_there(desk, run):
    ((line, field),) = re.findall(r"(.*) \| jq \.(.*)", "\n".join(NOT_RUN))
    document = json.loads(run(line).out)
    for name in field.split("."):
        document = document[name]
    assert isinstance(document, float)


def test_every_block_is_known():
    """A new one is run as a command or as Python, or it is said why not."""
    others = [
        block
        for block in BLOCKS
        if block.language not in ("python", "json") and not shown.commands(block)
    ]
    assert [str(block) for block in others if not _reasons(block)] == []
    assert {reason for block in others for reason in _reasons(block)} == set(NO_COMMANDS)


def _reasons(block: Block) -> list[str]:
    return [begin for begin in NO_COMMANDS if block.text.startswith(begin)]


@pytest.fixture
def given() -> dict[str, Any]:
    """The names that Python blocks take for granted."""
    frame = pd.DataFrame(example_pairs(), columns=["sentence1", "sentence2"])
    pairs = list(read(EXAMPLES / "gold.wa"))
    return {
        "README.md": {},
        "docs/aligning.md": {},
        "docs/chunking.md": {},
        "docs/edition2016.md": {},
        "docs/scoring.md": {},
        "docs/similarity.md": {"pairs": example_pairs()},
        "docs/seeing.md": {"pair": pairs[0], "pairs": pairs},
        "docs/scale.md": {
            "pairs": example_pairs(),
            "frame": frame,
            "spark_frame": SimpleNamespace(mapInPandas=lambda work, schema: work(iter([frame]))),
            "dask_frame": SimpleNamespace(map_partitions=lambda work, meta: work(frame)),
        },
    }


@pytest.mark.parametrize(
    "document", dict.fromkeys(block.document for block in BLOCKS if block.language == "python")
)
def test_the_python_of_a_document_runs(document, desk, given):
    """Block after block, as a reader would enter them."""
    names = given[document]
    for block in BLOCKS:
        if (block.document, block.language) == (document, "python"):
            _execute(block, names)


def _execute(block: Block, names: dict[str, Any]) -> None:
    """Run every statement; what streams is read to its end."""
    for statement in ast.parse(block.text, str(block)).body:
        if isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), str(block), "eval"), names)  # noqa: S307
            if isinstance(value, Iterator):
                list(value)
        else:
            exec(compile(ast.Module([statement], []), str(block), "exec"), names)  # noqa: S102
