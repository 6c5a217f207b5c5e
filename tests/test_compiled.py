"""The optional extension: it is there where it can be, and never needed."""

import copy
import pickle
import shutil
import subprocess
import sys
from dataclasses import KW_ONLY, FrozenInstanceError, InitVar, dataclass, field, replace
from os import environ

import pytest

from ists import compiled
from tests.conftest import ROOT

_PAIRS = "tests/golden/pairs.tsv"


def aligned(**variables: str) -> bytes:
    command = (sys.executable, "-m", "ists", "align", _PAIRS, "--format", "jsonl", "--why")
    return subprocess.run(
        [*command, "--matrix"],
        cwd=ROOT,
        env={**environ, **variables},
        stdout=subprocess.PIPE,
        check=True,
    ).stdout


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.skipif(environ.get("ISTS_PURE") == "1", reason="ISTS_PURE is set")
def test_the_extension_is_compiled_where_there_is_a_compiler():
    assert compiled.kernels is not None


def test_a_variable_turns_the_extension_off(monkeypatch):
    monkeypatch.setenv("ISTS_PURE", "1")
    assert compiled._load() is None


def test_an_extension_of_another_version_is_not_used(monkeypatch):
    monkeypatch.delenv("ISTS_PURE", raising=False)
    monkeypatch.setattr(compiled, "_INTERFACE", -1)
    assert compiled._load() is None


@pytest.mark.skipif(compiled.kernels is None, reason="the extension is not compiled")
def test_the_output_is_the_same_with_and_without_the_extension():
    assert aligned() == aligned(ISTS_PURE="1")


@pytest.mark.parametrize("pure", ["0", "1"])
def test_threads_of_a_process_may_share_a_heap_or_not(pure):
    script = (
        "from threading import Thread\n"
        "from ists.compiled import use_one_heap\n"
        "use_one_heap()\n"
        "thread = Thread(target=lambda: print(len(bytes(1 << 20))))\n"
        "thread.start()\n"
        "thread.join()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**environ, "ISTS_PURE": pure},
        capture_output=True,
        check=True,
    )
    assert done.stdout.split() == [b"1048576"]


@compiled.quickly_built
@dataclass(frozen=True, slots=True)
class Quick:
    one: int
    two: str = "two"
    three: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Slow:
    one: int
    two: str = "two"
    three: tuple[int, ...] = ()


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((1, "a", (2,)), {}),
        ((1, "a"), {"three": (2,)}),
        ((), {"three": (2,), "one": 1, "two": "a"}),
        ((1,), {}),
        ((), {"one": 1}),
        ((), {}),
        ((1, "a", (2,), 4), {}),
        ((1, "a"), {"two": "b"}),
        ((1, "a"), {"four": 4}),
    ],
)
def test_a_quickly_built_object_is_as_python_builds_it(values, named):
    quick, error = built(Quick, values, named)
    slow, expected = built(Slow, values, named)
    assert error.replace("Quick", "Slow") == expected
    assert repr(quick).replace("Quick", "Slow") == repr(slow)
    if not error:
        assert quick == Quick(slow.one, slow.two, slow.three)
        assert hash(quick) == hash(slow)
        assert copy.copy(quick) == pickle.loads(pickle.dumps(quick)) == quick  # noqa: S301
        assert replace(quick, two="c") == Quick(slow.one, "c", slow.three)
        with pytest.raises(FrozenInstanceError):
            quick.one = 2


def built(kind, values, named):
    try:
        return kind(*values, **named), ""
    except TypeError as error:
        return None, str(error)


def test_a_class_that_checks_its_fields_is_built_by_python():
    @compiled.quickly_built
    @dataclass(frozen=True, slots=True)
    class Checked:
        one: int

        def __post_init__(self) -> None:
            if self.one < 0:
                raise ValueError(self.one)

    with pytest.raises(ValueError, match="-1"):
        Checked(-1)


@dataclass(frozen=True, slots=True)
class Named:
    one: int
    _: KW_ONLY
    two: int = 2


@dataclass(frozen=True, slots=True)
class Computed:
    one: int
    two: int = field(init=False, default=2)


@dataclass(frozen=True, slots=True)
class Given:
    one: int
    two: InitVar[int] = 2


@dataclass(frozen=True)
class Slotless:
    one: int
    two: int = 2


@dataclass(frozen=True, slots=True)
class Counted:
    one: int
    two: int

    def __new__(cls, one: int, two: int) -> "Counted":
        made.append(one + two)
        return object.__new__(cls)


@dataclass(frozen=True, slots=True, match_args=False)
class Unmatched:
    one: int
    two: int = 2


made: list[int] = []


@pytest.mark.parametrize("kind", [Named, Computed, Given, Slotless, Counted, Unmatched])
def test_a_class_with_more_than_slots_to_fill_is_built_by_python(kind):
    before = [built(kind, values, {}) for values in ((1, 2), (1,))]
    compiled.quickly_built(kind)
    assert [built(kind, values, {}) for values in ((1, 2), (1,))] == before
    assert kind is not Counted or made == [3, 3]
