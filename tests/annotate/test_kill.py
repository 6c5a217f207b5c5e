"""Killed at any moment, as by kill -9: what was confirmed is there when the file is opened."""

import json
import random
import shutil
import subprocess
import sys
from contextlib import closing

import pytest

from ists.annotate.draft import state_of
from ists.annotate.workbook import Workbook
from ists.formats import read
from tests.conftest import EXAMPLES, ROOT

# Changes pairs without end and tells each change once it is confirmed.
_BUSY = """
import json, sys
from pathlib import Path
from ists.annotate import actions
from ists.annotate.draft import Step, state_of
from ists.annotate.workbook import Workbook

book = Workbook.open(Path(sys.argv[1]))
while True:
    for place in range(len(book)):
        for action in (actions.Return(Step.LINKS), actions.Advance(), actions.Advance(), None):
            version = book[place].version
            if action is None or book[place].done != isinstance(action, actions.Return):
                entry = book.undo(place, version)
            else:
                entry = book.act(place, version, action)
            print(json.dumps([place, entry.version, state_of(entry.draft)]), flush=True)
"""


@pytest.mark.parametrize("seed", range(4))
def test_what_was_confirmed_survives_the_kill(tmp_path, seed):
    gold = tmp_path / "gold.wa"
    shutil.copy(EXAMPLES / "gold.wa", gold)
    with subprocess.Popen(
        [sys.executable, "-c", _BUSY, str(gold)], cwd=ROOT, text=True, stdout=subprocess.PIPE
    ) as process:
        confirmed = [process.stdout.readline() for _ in range(random.Random(seed).randint(1, 80))]
        process.kill()
        confirmed += process.stdout.read().splitlines(keepends=True)
    latest = {}
    for line in confirmed:
        if line.endswith("\n"):
            place, version, state = json.loads(line)
            latest[place] = version, state
    assert len(list(read(gold))) == 8
    with closing(Workbook.open(gold)) as book:
        for place, (version, state) in latest.items():
            entry = book[place]
            assert entry.version in (version, version + 1)  # the last may be done and untold
            if entry.version == version:
                assert json.loads(json.dumps(state_of(entry.draft))) == state
        assert [pair.value for pair in read(gold)] == [book[n].pair.value for n in range(8)]
