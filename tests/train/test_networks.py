"""Networks that are trained in other processes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.waiting import is_running, wait_until

pytest.importorskip("torch", reason="the extra 'train' is not installed")

SCRIPT = """
import sys
from ists.train.aligner.jobs import run_jobs
from tests.train.jobs import Waiting
if __name__ == "__main__":
    import signal
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run_jobs({name: Waiting(sys.argv[1], name) for name in "abc"}, 2, print)
"""


@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(tmp_path, signal_):
    script, traces = tmp_path / "script.py", tmp_path / "traces"
    script.write_text(SCRIPT)
    traces.mkdir()
    parent = subprocess.Popen(
        [sys.executable, str(script), str(traces)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with parent:
        wait_until(lambda: len(list(traces.glob("*.pid"))) == 2)
        workers = [int(Path(trace).read_text()) for trace in traces.glob("*.pid")]
        assert all(map(is_running, workers))
        parent.send_signal(signal_)
        assert parent.wait(timeout=60) != 0
    try:
        wait_until(lambda: not any(map(is_running, workers)))
    finally:
        for worker in filter(is_running, workers):
            os.kill(worker, signal.SIGKILL)
