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


def test_the_help_says_that_the_models_are_english():
    assert "The models are trained on English" in help_of()


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_shows_examples(name):
    text = help_of(name)
    assert "Examples:" in text
    assert f"ists {name} " in text


@pytest.mark.parametrize("name", _COMMANDS)
def test_only_commands_that_run_on_ray_mention_it(name):
    assert ("Ray" in help_of(name)) == (name == "align")


def test_the_help_says_how_to_avoid_cuda():
    text = help_of("train")
    cpu = text.index("pip install torch==")
    assert cpu < text.index("pip install 'ists[train]'")
    assert "CUDA" in text


def test_file_names_are_completed():
    complete = {"COMP_WORDS": "ists score ", "COMP_CWORD": "2", "_ISTS_COMPLETE": "bash_complete"}
    outcome = CliRunner().invoke(cli, env=complete, prog_name="ists")
    assert outcome.output.startswith("file")


def test_the_version_is_reported(ists):
    assert ists("--version").out == f"ists, version {__version__}\n"


def test_an_unknown_command_exits_with_2(ists):
    outcome = ists("scroe")
    assert outcome.code == 2
    assert "scroe" in outcome.err


@pytest.mark.parametrize("name", ["align", "similarity", "annotate"])
def test_commands_that_read_pairs_show_how_to_choose_columns(name):
    assert re.search(rf"ists {name} .*--columns sentence", help_of(name))
