"""Files of many pairs, and the memory and progress output of commands on them."""

import os
import pty
import re
import subprocess
import sys

from tests.conftest import EXAMPLES, ROOT


def many_pairs(folder, count):
    """Write the example's gold and system pairs repeatedly, under new ids."""
    files = []
    for name in ("gold", "system"):
        text = (EXAMPLES / f"{name}.wa").read_text()
        blocks = re.findall(r"<sentence .*?</sentence>\s*", text, re.DOTALL)
        file = folder / f"{name}-{count}.wa"
        with file.open("w") as stream:
            for number in range(count):
                block = blocks[number % len(blocks)]
                stream.write(re.sub(r'id="[^"]*"', f'id="{number + 1}"', block, count=1))
        files.append(file)
    return files


def memory_of(*arguments):
    """Return the peak memory of a command in KB."""
    script = (
        "import resource, sys\n"
        "from ists.cli import cli\n"
        "cli.main(sys.argv[1:], standalone_mode=False)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return int(done.stderr.split()[-1])


def shown_at_terminal(*arguments):
    """Return what a command writes to stderr if that is a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ists", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, cwd=ROOT) as process:
        os.close(theirs)
        shown = b""
        while data := _read(ours):
            shown += data
        assert process.wait() == 0
    os.close(ours)
    return shown.decode()


def _read(terminal):
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the process has closed the terminal
        return b""
