import re

import pytest
from click.testing import CliRunner

from ists import __version__
from ists.cli import _COMMANDS, cli


def help_of(*arguments: str) -> str:
    outcome = CliRunner().invoke(cli, [*arguments, "--help"])
    assert outcome.exit_code == 0
    return outcome.output


def test_the_help_lists_every_command_with_a_line():
    text = help_of()
    for name, line in _COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(line.split('.')[0][:30])}", text, re.MULTILINE)


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_shows_examples(name):
    text = help_of(name)
    assert "Examples:" in text
    assert f"ists {name} " in text


def test_file_names_are_completed():
    complete = {"COMP_WORDS": "ists score ", "COMP_CWORD": "2", "_ISTS_COMPLETE": "bash_complete"}
    outcome = CliRunner().invoke(cli, env=complete, prog_name="ists")
    assert outcome.output.startswith("file")


def test_the_version_is_told(ists):
    assert ists("--version").out == f"ists, version {__version__}\n"


def test_an_unknown_command_ends_with_2(ists):
    outcome = ists("scroe")
    assert outcome.code == 2
    assert "scroe" in outcome.err
