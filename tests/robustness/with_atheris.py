"""One reader under atheris: ``python -m tests.robustness.with_atheris READER [OPTIONS]``."""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["ists", "scorer"]):
    from tests.robustness.readers import READERS, read_anything, valid_files

_, _name, *_options = sys.argv
_kind, _reader = READERS[_name]

with tempfile.TemporaryDirectory() as _folder:
    _corpus = Path(_folder, "corpus")
    _corpus.mkdir()
    for _number, _valid in enumerate(valid_files(_kind)):
        (_corpus / str(_number)).write_bytes(_valid)
    atheris.Setup(
        [sys.argv[0], *_options, str(_corpus)],
        lambda data: read_anything(_reader, Path(_folder, "input"), data) and None,
    )
    atheris.Fuzz()
