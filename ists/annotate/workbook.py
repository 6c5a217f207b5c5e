"""A ``.wa`` file under annotation: every change is on disk before it is confirmed.

The file always holds every pair and is always well-formed; its journal holds the rest. Each pair
has a version number, which a change must state: a change to an outdated version is rejected.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ists.annotate.actions import Action, RejectedError
from ists.annotate.draft import Draft, draft_from, draft_of, pair_of, state_of
from ists.annotate.history import History
from ists.annotate.journal import SUFFIX, Event, Journal
from ists.errors import FormatError, IstsError
from ists.files import atomic_output
from ists.formats import read, wa
from ists.pairs import UNFINISHED, Edition, SentencePair


class StaleError(IstsError):
    """The pair was changed since the version that the request refers to."""


class Beginning(NamedTuple):
    """A pair of a new file, and its first draft."""

    pair: SentencePair
    draft: Draft


@dataclass(frozen=True)
class Entry:
    """One pair of the workbook."""

    original: SentencePair
    """The pair in the file when it was opened."""
    opened: Draft
    """The draft of `original`."""
    history: History
    note: str = ""
    version: int = 0
    status: str = ""
    """Status in the file once the pair is done."""
    journalled: bool = False

    @classmethod
    def of(cls, pair: SentencePair, draft: Draft) -> "Entry":
        """Create the entry of a pair without events in the journal."""
        status = "" if pair.status == UNFINISHED else pair.status
        return cls(pair, draft, History(draft), status=status)

    @property
    def draft(self) -> Draft:
        """The current draft."""
        return self.history.present

    @property
    def done(self) -> bool:
        """Whether the annotator has finished it."""
        return self.draft.done

    @property
    def begun(self) -> bool:
        """Whether anything has been done to it."""
        return bool(self.history.past or self.history.future) or self.draft.step.place > 0

    @property
    def pair(self) -> SentencePair:
        """The pair for the file; the original, byte for byte, as long as no decision is changed."""
        draft, opened = self.draft, self.opened
        if (draft.decisions, draft.done) == (opened.decisions, opened.done):
            return self.original
        return pair_of(self.draft, self.original, self.status)

    def with_draft(self, draft: Draft) -> "Entry":
        """Return the entry with a new draft."""
        return self._changed(self.history.do(draft))

    def undone(self) -> "Entry":
        """Return the entry with the last change undone."""
        return self._changed(self.history.undo())

    def redone(self) -> "Entry":
        """Return the entry with the last undo reverted."""
        return self._changed(self.history.redo())

    def with_note(self, note: str) -> "Entry":
        """Return the entry with another note; notes are not part of the undo history."""
        return replace(self, note=note, version=self.version + 1) if note != self.note else self

    def _changed(self, history: History) -> "Entry":
        if history is self.history:
            return self
        return replace(self, history=history, version=self.version + 1)


class Workbook:
    """All pairs of a file, in order."""

    def __init__(self, path: Path, entries: list[Entry], journal: Journal) -> None:
        self.path = path
        self._entries = entries
        self._journal = journal
        self._places = {entry.original.id: place for place, entry in enumerate(entries)}
        self._blocks = [_block(entry) for entry in entries]
        self._stamp: tuple[int, int] | None = None

    @classmethod
    def open(
        cls,
        path: Path,
        source: Sequence[Beginning] | None = None,
        grow: bool = False,
        edition: Edition = "2015",
    ) -> "Workbook":
        """Open an existing file, or create one from `source`; if both exist, they must agree.

        With `grow`, pairs of `source` that an existing file lacks are added at its end.
        """
        journal = Journal(path.with_name(path.name + SUFFIX))
        try:
            exists = path.exists() or source is None
            added: Sequence[Beginning] = ()
            if exists:
                pairs = list(read(path, "wa"))
                added = _added(pairs, source) if grow else ()
                _reject_other_sentences(path, pairs, source, added)
                entries = [Entry.of(pair, draft_of(pair, edition)) for pair in pairs]
                entries += [Entry.of(*item) for item in added]
            else:
                entries = [Entry.of(*item) for item in source or ()]
            book = cls(path, entries, journal)
            book._catch_up(exists, grown=bool(exists and added))
        except BaseException:
            journal.close()
            raise
        return book

    def close(self) -> None:
        """Close the journal, which releases the lock."""
        self._journal.close()

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, place: int) -> Entry:
        return self._entries[place]

    @property
    def done(self) -> int:
        """How many pairs are done."""
        return sum(entry.done for entry in self._entries)

    @property
    def edition(self) -> Edition:
        """The edition whose rules the annotation follows."""
        return self._entries[0].draft.edition if self._entries else "2015"

    def act(self, place: int, version: int, action: Action) -> Entry:
        """Apply an action to a pair."""
        entry = self._fresh(place, version)
        changed = entry.with_draft(action.apply(entry.draft))
        return self._commit(place, changed, {"do": state_of(changed.draft)})

    def undo(self, place: int, version: int) -> Entry:
        """Undo the last change of a pair."""
        return self._commit(place, self._fresh(place, version).undone(), {"undo": 1})

    def redo(self, place: int, version: int) -> Entry:
        """Redo the last undone change of a pair."""
        return self._commit(place, self._fresh(place, version).redone(), {"redo": 1})

    def note(self, place: int, version: int, text: str) -> Entry:
        """Replace a pair's note."""
        return self._commit(place, self._fresh(place, version).with_note(text), {"note": text})

    def _fresh(self, place: int, version: int) -> Entry:
        entry = self._entries[place]
        if version != entry.version:
            raise StaleError("this pair was changed in another window")
        return entry

    def _commit(self, place: int, entry: Entry, event: Event) -> Entry:
        """Write a change to the journal first, then to the file, then to memory."""
        if entry is self._entries[place]:
            return entry
        if self._stamp != _stamp(self.path):
            raise RejectedError(
                f"{self.path.name} was changed by another program: "
                "stop ists annotate and start it again to load the changes"
            )
        name = entry.original.id
        events: list[Event] = [{"pair": name, **event}]
        if not entry.journalled:
            events.insert(0, _base(self._entries[place]))
            entry = replace(entry, journalled=True)
        before, old_block = self._journal.length, self._blocks[place]
        self._journal.append(events)
        try:
            self._blocks[place] = _block(entry)
            self._write()
        except BaseException:
            self._blocks[place] = old_block
            self._journal.cut_back(before)
            raise
        self._entries[place] = entry
        return entry

    def _write(self) -> None:
        with atomic_output(self.path) as stream:
            stream.writelines(self._blocks)
        self._stamp = _stamp(self.path)

    def _catch_up(self, exists: bool, grown: bool) -> None:
        """Replay the journal and update the file accordingly."""
        last, before_last = self._replay()
        if not exists or grown:
            self._begin()
        if exists and last is not None and before_last is not None:
            self._take_in_foreign_changes(last, before_last)
        self._blocks = [_block(entry) for entry in self._entries]
        if not exists or self.path.read_bytes() != b"".join(self._blocks):
            self._write()
        self._stamp = _stamp(self.path)

    def _replay(self) -> tuple[int | None, Entry | None]:
        """Replay the journal; return the last changed pair's index and its entry before that."""
        last = before_last = None
        for number, event in enumerate(self._journal.events, start=1):
            place = self._places.get(str(event.get("pair")))
            if place is None:
                raise self._journal.fault(f"{self.path} has no such pair", number)
            last, before_last = place, self._entries[place]
            try:
                self._entries[place] = _replayed(before_last, event)
            except ValueError as error:
                reason = f"pair {event['pair']}: {error}; expected the journal of {self.path}"
                raise self._journal.fault(reason, number) from None
        return last, before_last

    def _begin(self) -> None:
        """Write the first drafts of a new file's pairs to the journal."""
        new = [entry for entry in self._entries if not entry.journalled]
        self._journal.append([_base(entry) for entry in new])
        self._entries = [replace(entry, journalled=True) for entry in self._entries]

    def _take_in_foreign_changes(self, last: int, before_last: Entry) -> None:
        """Record changes made to the file by other programs as undoable changes.

        Only the last event may be missing from the file: then the server was killed before it could
        write the file.
        """
        for place, entry in enumerate(self._entries):
            if entry.pair.value == entry.original.value:
                continue
            if place == last and before_last.pair.value == entry.original.value:
                continue
            changed = entry.with_draft(entry.opened)
            name = entry.original.id
            self._journal.append([{"pair": name, "do": state_of(changed.draft)}])
            self._entries[place] = changed


def _replayed(entry: Entry, event: Event) -> Entry:
    words, edition = entry.opened.words, entry.opened.edition
    if "base" in event:
        history = History(draft_from(event["base"], words, edition))
        return replace(entry, history=history, status=str(event["status"]), journalled=True)
    if "do" in event:
        return entry.with_draft(draft_from(event["do"], words, edition))
    if "undo" in event:
        return entry.undone()
    if "redo" in event:
        return entry.redone()
    if isinstance(event.get("note"), str):
        return entry.with_note(event["note"])
    raise ValueError("not an event of a pair")


def _base(entry: Entry) -> Event:
    return {"pair": entry.original.id, "base": state_of(entry.draft), "status": entry.status}


def _block(entry: Entry) -> bytes:
    stream = io.BytesIO()
    wa.write([entry.pair], stream)
    return stream.getvalue()


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


def _added(
    pairs: Sequence[SentencePair], source: Sequence[Beginning] | None
) -> Sequence[Beginning]:
    known = {pair.id for pair in pairs}
    return [given for given in source or () if given.pair.id not in known]


def _reject_other_sentences(
    path: Path,
    pairs: Sequence[SentencePair],
    source: Sequence[Beginning] | None,
    added: Sequence[Beginning] = (),
) -> None:
    if source is None:
        return
    if added:
        known = {given.pair.id: given for given in source}
        source = [known[pair.id] for pair in pairs if pair.id in known]
    if len(source) != len(pairs):
        raise FormatError(f"holds {len(pairs)} pairs, but {len(source)} are given", str(path))
    for pair, given in zip(pairs, source, strict=True):
        words = pair.sentence1.words, pair.sentence2.words
        if pair.id != given.pair.id or words != given.draft.words:
            reason = f"pair {pair.id}: its sentences are not those given as pair {given.pair.id}"
            raise FormatError(reason, str(path), pair.line_of(None))
