"""The examples of docs/serving.md, run against a real server."""

import json
import shutil
import subprocess

import pytest

pytest.importorskip("starlette", reason="the packages of ists serve are not installed")

from tests.docs import shown
from tests.docs.conftest import example_pairs
from tests.serve.serving import served

_DOCUMENT = "docs/serving.md"
_ADDRESS = "http://127.0.0.1:8000/"
_BLOCKS = [
    block
    for block in shown.blocks(_DOCUMENT, shown.text_of(_DOCUMENT))
    if any(line.startswith("curl ") for line in block.lines)
    or block.language in ("python", "javascript")
]


@pytest.fixture(scope="module")
def address():
    with served() as found:
        yield found


@pytest.fixture
def example(address):
    """Returns the example in a language, for the server of this test."""

    def example(language: str) -> str:
        (block,) = (block for block in _BLOCKS if block.language == language)
        assert _ADDRESS in block.text
        return block.text.replace(_ADDRESS, address)

    return example


def _printed(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_there_is_an_example_for_each_kind_of_client():
    assert [block.language for block in _BLOCKS] == ["", "python", "javascript"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_commands_work_one_after_the_other(example, desk, monkeypatch):
    (desk / ".curlrc").write_text("fail\nsilent\nshow-error\n")
    monkeypatch.setenv("CURL_HOME", str(desk))
    pairs = [
        {"id": str(number), "sentence1": one, "sentence2": two}
        for number, (one, two) in enumerate(example_pairs(), start=1)
    ]
    (desk / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    printed = _printed("sh", "-e", "-c", example(""))
    similarity, end = json.JSONDecoder().raw_decode(printed)
    assert 0 < similarity["similarity"] <= 5
    (scored,) = json.loads(printed[end:])["systems"]
    assert 0 < scored["f1"]["ali"] <= 1
    assert (desk / "out.wa").read_text().count("</sentence>") == len(pairs)


def test_the_python_program_works(example, capsys):
    pytest.importorskip("httpx", reason="httpx is not installed")
    exec(compile(example("python"), _DOCUMENT, "exec"), {})  # noqa: S102
    similarity, *lines = capsys.readouterr().out.splitlines()
    assert 0 < float(similarity) <= 5
    assert "EQUI" in lines[0] or "SPE" in lines[0]
    assert [line for line in lines if line.endswith(" None")][-100:] == [
        f"{number} None" for number in range(100)
    ]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_javascript_program_works(example):
    printed = _printed("node", "--input-type=module", "-e", example("javascript"))
    similarity, _, text = printed.partition(" ")
    assert 0 < float(similarity) <= 5
    assert text.endswith(" of 5.\n")
