"""What is on the disk: always whole, never behind by more than the action in hand."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.annotate import actions
from ists.annotate.actions import RejectedError
from ists.annotate.draft import Step, draft_of, missing
from ists.annotate.journal import Journal
from ists.annotate.source import one_file, two_files
from ists.annotate.workbook import StaleError, Workbook
from ists.errors import FormatError
from ists.formats import read
from ists.pairs import Relation
from tests.annotate.drafts import CHUNKED, DONE, LINKED, likely_actions
from tests.conftest import EXAMPLES
from tests.samples import CAT_PAIR, CAT_WA


@pytest.fixture
def sentences(tmp_path) -> tuple[Path, Path]:
    one, two = tmp_path / "s1.txt", tmp_path / "s2.txt"
    one.write_text("A tabby cat sleeps .\nSnow closes mountain roads\n")
    two.write_text("A cat is sleeping .\nRoads are closed\n")
    return one, two


@pytest.fixture
def gold(tmp_path) -> Path:
    return tmp_path / "gold.wa"


def opened(gold, sentences=None) -> "closing[Workbook]":
    return closing(Workbook.open(gold, two_files(*sentences) if sentences else None))


def act(book: Workbook, place: int, *acts: actions.Action) -> None:
    for action in acts:
        book.act(place, book[place].version, action)


def test_a_new_file_holds_every_pair_unfinished(gold, sentences, ists):
    with opened(gold, sentences) as book:
        assert (len(book), book.done) == (2, 0)
    assert [pair.status for pair in read(gold)] == ["unfinished"] * 2
    assert ists("check", gold).code == 0
    assert ists("check", "--guidelines", gold).code == 1


def test_a_pair_annotated_to_the_end_is_in_the_file(gold, sentences):
    with opened(gold, sentences) as book:
        act(book, 0, *DONE)
        assert next(iter(read(gold))) == CAT_PAIR
        assert book.done == 1


def test_everything_is_there_after_opening_again(gold, sentences):
    with opened(gold, sentences) as book:
        act(book, 0, *LINKED)
        book.undo(0, book[0].version)
        book.note(0, book[0].version, "is ‘.’ worth it?\n<b>")
        entry = book[0]
    for again in (None, sentences):
        with opened(gold, again) as book:
            assert book[0].history == entry.history
            assert (book[0].note, book[0].version) == (entry.note, entry.version)
            assert book.redo(0, entry.version).draft.step is Step.REST
            book.undo(0, book[0].version)
            entry = book[0]


def test_given_chunks_are_remembered_though_the_file_cannot_hold_them(gold):
    files = EXAMPLES / "sent1.chunk.txt", EXAMPLES / "sent2.chunk.txt"
    with opened(gold, files) as book:
        draft = book[0].draft
    with opened(gold) as book:
        assert book[0].draft == draft
        assert draft.step is Step.LINKS
        assert draft.text(1, 5) == "on the warm roof"


def test_one_file_is_chunked_and_the_other_is_not(sentences):
    with pytest.raises(FormatError, match="is bracketed, but"):
        two_files(EXAMPLES / "sent1.chunk.txt", sentences[1])


def test_files_without_a_line_are_rejected(tmp_path):
    empty = tmp_path / "empty.txt"
    empty.touch()
    with pytest.raises(FormatError, match="no sentence found"):
        two_files(empty, empty)


def test_opening_a_file_changes_no_byte_and_leaves_nothing_beside_it(gold):
    data = CAT_WA.replace("SPE1 // 4", "SPE1  //  4.0").encode() + b"\n\n"
    gold.write_bytes(data)
    with opened(gold) as book:
        assert book[0].done
    assert gold.read_bytes() == data
    assert [path.name for path in gold.parent.iterdir()] == ["gold.wa"]


def test_undoing_all_changes_gives_the_very_bytes_back(gold):
    data = (EXAMPLES / "gold.wa").read_bytes()
    gold.write_bytes(data)
    with opened(gold) as book:
        act(book, 0, actions.Return(Step.LINKS), actions.Disconnect(1))
        assert gold.read_bytes() != data
        for _ in range(2):
            book.undo(0, book[0].version)
        assert gold.read_bytes() == data


def test_other_pairs_keep_their_bytes(gold):
    data = (EXAMPLES / "gold.wa").read_bytes().replace(b" // 5 // ", b" //  5.0 // ")
    gold.write_bytes(data)
    with opened(gold) as book:
        act(book, 1, actions.Return(Step.LINKS))
    second = data.index(b'<sentence id="2"')
    third = data.index(b'<sentence id="3"')
    assert gold.read_bytes().startswith(data[:second])
    assert gold.read_bytes().endswith(data[third:])


def test_a_copy_can_be_annotated_and_the_source_stays(gold):
    source = EXAMPLES / "gold.wa"
    before = source.read_bytes()
    with closing(Workbook.open(gold, one_file(source))) as book:
        assert gold.read_bytes() == before
        act(book, 0, actions.Return(Step.LINKS))
    assert source.read_bytes() == before


def test_going_back_to_look_does_not_make_a_pair_unfinished(gold):
    gold.write_text(CAT_WA.replace("SPE1 // 4", "SPE1  //  4.0"))
    data = gold.read_bytes()
    with opened(gold) as book:
        for step in (Step.REST, Step.LINKS, Step.CHUNKS1):
            act(book, 0, actions.Return(step))
            assert book.done == 1
        assert gold.read_bytes() == data
    with opened(gold) as book:
        assert book.done == 1
        act(book, 0, actions.Cut(1, 2))
        assert book.done == 0
        book.undo(0, book[0].version)
        assert book.done == 1
        assert gold.read_bytes() == data


def test_a_status_of_the_file_comes_back_when_the_pair_is_done_again(gold):
    gold.write_text(CAT_WA.replace('status=""', 'status="checked"'))
    with opened(gold) as book:
        act(book, 0, actions.Return(Step.REST), actions.LeaveAlone(1, 5, Relation.ALIC))
        assert next(iter(read(gold))).status == "unfinished"
    with opened(gold) as book:
        act(book, 0, actions.Advance())
        assert next(iter(read(gold))).status == "checked"


def test_an_older_version_changes_nothing(gold, sentences):
    with opened(gold, sentences) as book:
        book.act(0, 0, actions.Cut(1, 4))
        before = gold.read_bytes(), book[0]
        for attempt in (
            lambda: book.act(0, 0, actions.Cut(1, 2)),
            lambda: book.undo(0, 0),
            lambda: book.redo(0, 0),
            lambda: book.note(0, 0, "mine"),
        ):
            with pytest.raises(StaleError):
                attempt()
        assert (gold.read_bytes(), book[0]) == before


def test_an_action_that_changes_nothing_is_no_new_version(gold, sentences):
    with opened(gold, sentences) as book:
        act(book, 0, *CHUNKED, actions.Connect(1, 1), actions.Score(1, 4))
        version = book[0].version
        assert book.act(0, version, actions.Score(1, 4)).version == version
        assert book.undo(1, 0).version == 0


def test_two_at_a_time_are_rejected(gold, sentences):
    with opened(gold, sentences), pytest.raises(FormatError, match="in use by another"):
        Workbook.open(gold)


def test_killed_between_the_journal_and_the_file_the_journal_wins(gold, sentences):
    with opened(gold, sentences) as book:
        act(book, 0, *CHUNKED, actions.Accept((4,), (3,), 5, Relation.EQUI, frozenset()))
        older = gold.read_bytes()
        act(book, 0, actions.Accept((1,), (1,), 4, Relation.SPE1, frozenset()))
        newer, draft, version = gold.read_bytes(), book[0].draft, book[0].version
    gold.write_bytes(older)
    with opened(gold) as book:
        assert (book[0].draft, book[0].version) == (draft, version)
    assert gold.read_bytes() == newer


def test_killed_in_the_middle_of_a_line_all_before_it_is_there(gold, sentences):
    with opened(gold, sentences) as book:
        act(book, 0, actions.Cut(1, 4))
        draft = book[0].draft
    journal = gold.with_name("gold.wa.journal")
    with journal.open("ab") as file:
        file.write(b'{"pair": "1", "do": {"st')
    with opened(gold) as book:
        assert book[0].draft == draft
        act(book, 0, actions.Cut(1, 5))
        draft = book[0].draft
    with opened(gold) as book:
        assert book[0].draft == draft


def test_a_file_that_was_lost_is_made_again_from_the_journal(gold, sentences):
    with opened(gold, sentences) as book:
        act(book, 0, *DONE)
        data = gold.read_bytes()
    gold.unlink()
    with opened(gold, sentences) as book:
        assert book.done == 1
    assert gold.read_bytes() == data


def test_what_an_editor_changed_in_the_file_is_one_more_change(gold, sentences):
    with opened(gold, sentences) as book:
        act(book, 0, *DONE)
        act(book, 1, actions.Cut(1, 2))
    gold.write_bytes(gold.read_bytes().replace(b"SPE1 // 4", b"SIMI // 2"))
    with opened(gold) as book:
        assert book[0].draft.link_at(1, 1).relation is Relation.SIMI
        book.undo(0, book[0].version)
        assert b"SPE1 // 4" in gold.read_bytes()


def test_what_an_editor_changes_meanwhile_is_not_overwritten(gold, sentences):
    with opened(gold, sentences) as book:
        act(book, 0, *DONE)
        foreign = gold.read_bytes().replace(b"SPE1 // 4", b"SIMI // 2.5")
        gold.write_bytes(foreign)
        with pytest.raises(RejectedError, match="changed by another program"):
            act(book, 0, actions.Return(Step.LINKS))
        assert book[0].done
    assert gold.read_bytes() == foreign


def test_a_full_disk_changes_nothing(gold, sentences, monkeypatch):
    with opened(gold, sentences) as book:
        act(book, 0, actions.Cut(1, 4))
        journal = gold.with_name("gold.wa.journal")
        before = gold.read_bytes(), journal.read_bytes(), book[0]

        def full(*_):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("ists.annotate.journal.os.fsync", full)
            with pytest.raises(OSError, match="No space left"):
                act(book, 0, actions.Cut(1, 2))
        with monkeypatch.context() as patch:
            patch.setattr("ists.annotate.workbook.atomic_output", full)
            with pytest.raises(OSError, match="No space left"):
                act(book, 0, actions.Cut(1, 2))
        assert (gold.read_bytes(), journal.read_bytes(), book[0]) == before
        act(book, 0, actions.Cut(1, 2))
    with opened(gold) as book:
        assert book[0].draft.starts[0] == (1, 2, 4)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("not json\n", "journal:1: not a JSON object"),
        ("[]\n", "journal:1: not a JSON object"),
        ('{"a": 1}\n', "journal:1: not the first line of a journal"),
        ('HEAD\n{"pair": "9", "undo": 1}\n', "journal:2: .* no such pair"),
        ('HEAD\n{"pair": "1", "explode": 1}\n', "journal:2: pair 1: not an event"),
        ('HEAD\n{"pair": "1", "do": {}}\n', "journal:2: pair 1: not the state"),
        (
            'HEAD\n{"pair": "1", "do": {"step": "links", "starts": [[1, 99], [1]], '
            '"links": [], "alone": []}}\n',
            "journal:2: pair 1: its chunks are not those of the sentences",
        ),
    ],
)
def test_a_foreign_journal_is_rejected_by_line(gold, lines, reason):
    gold.write_text(CAT_WA)
    head = '{"journal": "ists annotate", "version": 1}'
    journal = gold.with_name("gold.wa.journal")
    journal.write_text(lines.replace("HEAD", head))
    with pytest.raises(FormatError, match=reason):
        Workbook.open(gold)
    assert gold.read_text() == CAT_WA


def test_other_sentences_than_those_of_the_file_are_rejected(gold, sentences):
    gold.write_text(CAT_WA)
    with pytest.raises(FormatError, match="holds 1 pairs, but 2 are given"):
        Workbook.open(gold, two_files(*sentences))
    sentences[0].write_text("A black cat sleeps .\n")
    sentences[1].write_text("A cat is sleeping .\n")
    with pytest.raises(FormatError, match=r"gold.wa:1: pair 1: its sentences are not those"):
        Workbook.open(gold, two_files(*sentences))
    assert not gold.with_name("gold.wa.journal").exists()


def test_a_journal_in_a_folder_that_is_not_there_is_one_clear_line(tmp_path):
    with pytest.raises(FormatError, match="cannot be written: no such file"):
        Journal(tmp_path / "nowhere" / "gold.wa.journal")


def test_bytes_that_are_no_text_survive(gold, tmp_path):
    one, two = tmp_path / "s1.txt", tmp_path / "s2.txt"
    one.write_bytes(b"Caf\xe9 opens\n")
    two.write_bytes(b"Caf\xc3\xa9 opens\n")
    with opened(gold, (one, two)) as book:
        act(book, 0, actions.Cut(1, 2), actions.Advance(), actions.Advance())
        act(book, 0, actions.Accept((1,), (1,), 3, Relation.SIMI, frozenset()))
    assert b"1 Caf\xe9 : " in gold.read_bytes()
    with opened(gold) as book:
        assert book[0].draft.links


@pytest.mark.parametrize("name", ["headlines", "images"])
def test_the_official_gold_opens_and_keeps_its_bytes(gold, shared, name):
    source = shared / "ists2015" / "train" / f"STSint.gs.{name}.wa"
    gold.write_bytes(source.read_bytes())
    with opened(gold) as book:
        assert 0 < book.done < len(book)
        assert all(missing(book[n].draft) for n in range(len(book)) if not book[n].done)
    assert gold.read_bytes() == source.read_bytes()


@given(st.data())
@settings(max_examples=25)
def test_any_walk_is_read_back_as_it_was(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("walk")
    gold = folder / "gold.wa"
    shutil.copy(EXAMPLES / "gold.wa", gold)
    with opened(gold) as book:
        for _ in range(data.draw(st.integers(1, 15))):
            place = data.draw(st.integers(0, 1))
            entry = book[place]
            kind = data.draw(st.sampled_from(["act", "act", "act", "undo", "redo", "note"]))
            if kind == "act":
                try:
                    book.act(place, entry.version, data.draw(likely_actions(entry.draft)))
                except RejectedError:
                    continue
            elif kind == "note":
                book.note(place, entry.version, data.draw(st.text(max_size=5)))
            else:
                getattr(book, kind)(place, entry.version)
            assert [pair.value for pair in read(gold)] == [book[n].pair.value for n in range(8)]
        entries = [book[n] for n in range(8)]
    with opened(gold) as book:
        for entry, again in zip(entries, (book[n] for n in range(8)), strict=True):
            assert (again.draft, again.note) == (entry.draft, entry.note)
            assert again.version == entry.version
            if entry.done:
                assert not list(entry.pair.violations())
                assert draft_of(entry.pair).step is Step.DONE
