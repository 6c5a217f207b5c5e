"""OpenBLAS kernels of other processors, as far as this processor can run them."""

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_NEEDS = {
    "Prescott": "pni",
    "Nehalem": "sse4_2",
    "Haswell": "avx2",
    "Zen": "avx2",
    "SkylakeX": "avx512f",
}
"""OpenBLAS' name of a kernel, and the processor flag it needs."""


def kernels() -> list[str]:
    """Return the kernels that this processor can run; empty if its flags are unknown."""
    try:
        flags = set(Path("/proc/cpuinfo").read_text().split())
    except OSError:
        return []
    return [name for name, needed in _NEEDS.items() if needed in flags]


def run_under(kernel: str, *arguments: str) -> bytes:
    """Run Python with these arguments under a kernel; return the standard output."""
    environment = {**os.environ, "OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=_ROOT, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, (kernel, done.stderr.decode()[-2000:])
    return done.stdout
