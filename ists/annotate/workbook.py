"""A ``.wa`` file under annotation: every change is on the disk before it is confirmed.

The file always holds every pair and is always well-formed; the journal beside it holds the rest.
Each pair has a version, which a change must name: whoever looks at an older one has to look again.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ists.annotate.actions import Action, RefusedError
from ists.annotate.draft import UNFINISHED, Draft, Step, draft_from, draft_of, pair_of, state_of
from ists.annotate.history import History
from ists.annotate.journal import SUFFIX, Event, Journal
from ists.errors import FormatError, IstsError
from ists.files import atomic_output
from ists.formats import read, wa
from ists.pairs import SentencePair


class StaleError(IstsError):
    """The pair was changed since whoever asks has looked at it."""


class Beginning(NamedTuple):
    """A pair as a new file begins with it."""

    pair: SentencePair
    draft: Draft


@dataclass(frozen=True)
class Entry:
    """One pair of the workbook."""

    original: SentencePair
    """As the file had it when it was opened."""
    opened: Draft
    """The same as a draft."""
    history: History
    note: str = ""
    version: int = 0
    status: str = ""
    """What the file says of the pair once it is done."""
    journalled: bool = False

    @classmethod
    def of(cls, pair: SentencePair, draft: Draft) -> "Entry":
        """A pair of which the journal knows nothing yet."""
        status = "" if pair.status == UNFINISHED else pair.status
        return cls(pair, draft, History(draft), status=status)

    @property
    def draft(self) -> Draft:
        """The pair as it is now."""
        return self.history.present

    @property
    def done(self) -> bool:
        """Whether the annotator has finished it."""
        return self.draft.step is Step.DONE

    @property
    def begun(self) -> bool:
        """Whether anything has been done to it."""
        return bool(self.history.past or self.history.future) or self.draft.step.place > 0

    @property
    def pair(self) -> SentencePair:
        """What the file says of it now; as long as nothing is changed, in its very bytes."""
        if self.draft == self.opened:
            return self.original
        return pair_of(self.draft, self.original, self.status)

    def with_draft(self, draft: Draft) -> "Entry":
        """The next draft of the pair."""
        return self._changed(self.history.do(draft))

    def undone(self) -> "Entry":
        """One change back."""
        return self._changed(self.history.undo())

    def redone(self) -> "Entry":
        """The last undo taken back."""
        return self._changed(self.history.redo())

    def with_note(self, note: str) -> "Entry":
        """Another note, which is no part of what can be undone."""
        return replace(self, note=note, version=self.version + 1) if note != self.note else self

    def _changed(self, history: History) -> "Entry":
        if history is self.history:
            return self
        return replace(self, history=history, version=self.version + 1)


class Workbook:
    """All pairs of a file, in its order."""

    def __init__(self, path: Path, entries: list[Entry], journal: Journal) -> None:
        self.path = path
        self._entries = entries
        self._journal = journal
        self._places = {entry.original.id: place for place, entry in enumerate(entries)}
        self._blocks = [_block(entry) for entry in entries]
        self._stamp: tuple[int, int] | None = None

    @classmethod
    def open(cls, path: Path, source: Sequence[Beginning] | None = None) -> "Workbook":
        """Open an existing file, or begin one; where both are there, they must agree."""
        journal = Journal(path.with_name(path.name + SUFFIX))
        try:
            exists = path.exists() or source is None
            if exists:
                pairs = list(read(path, "wa"))
                _refuse_other_sentences(path, pairs, source)
                entries = [Entry.of(pair, draft_of(pair)) for pair in pairs]
            else:
                entries = [Entry.of(*item) for item in source or ()]
            book = cls(path, entries, journal)
            book._catch_up(exists)
        except BaseException:
            journal.close()
            raise
        return book

    def close(self) -> None:
        """Let others open the file."""
        self._journal.close()

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, place: int) -> Entry:
        return self._entries[place]

    @property
    def done(self) -> int:
        """How many pairs are done."""
        return sum(entry.done for entry in self._entries)

    def act(self, place: int, version: int, action: Action) -> Entry:
        """Do something to a pair."""
        entry = self._fresh(place, version)
        changed = entry.with_draft(action.apply(entry.draft))
        return self._commit(place, changed, {"do": state_of(changed.draft)})

    def undo(self, place: int, version: int) -> Entry:
        """Take the last change of a pair back."""
        return self._commit(place, self._fresh(place, version).undone(), {"undo": 1})

    def redo(self, place: int, version: int) -> Entry:
        """Take the last undo of a pair back."""
        return self._commit(place, self._fresh(place, version).redone(), {"redo": 1})

    def note(self, place: int, version: int, text: str) -> Entry:
        """Write a pair's note anew."""
        return self._commit(place, self._fresh(place, version).with_note(text), {"note": text})

    def _fresh(self, place: int, version: int) -> Entry:
        entry = self._entries[place]
        if version != entry.version:
            raise StaleError("this pair was changed in another window")
        return entry

    def _commit(self, place: int, entry: Entry, event: Event) -> Entry:
        """Journal first, then the file, then memory: each is true before the next follows."""
        if entry is self._entries[place]:
            return entry
        if self._stamp != _stamp(self.path):
            raise RefusedError(
                f"{self.path.name} was changed by another program: "
                "stop ists annotate and start it again to take that in"
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

    def _catch_up(self, exists: bool) -> None:
        """Take in what the journal knows, and bring the file up to date with it."""
        last, before_last = self._replay()
        if not exists:
            self._begin()
        elif last is not None and before_last is not None:
            self._take_in_foreign_changes(last, before_last)
        self._blocks = [_block(entry) for entry in self._entries]
        if not exists or self.path.read_bytes() != b"".join(self._blocks):
            self._write()
        self._stamp = _stamp(self.path)

    def _replay(self) -> tuple[int | None, Entry | None]:
        """Go through the journal; tell the last pair it changed, and what that was before."""
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
        """A new file: the journal remembers the chunks its pairs begin with."""
        new = [entry for entry in self._entries if not entry.journalled]
        self._journal.append([_base(entry) for entry in new])
        self._entries = [replace(entry, journalled=True) for entry in self._entries]

    def _take_in_foreign_changes(self, last: int, before_last: Entry) -> None:
        """What somebody has changed in the file itself is one more change, and can be undone.

        Only the last event may be missing from the file: the server was killed between the two.
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
    words = entry.opened.words
    if "base" in event:
        history = History(draft_from(event["base"], words))
        return replace(entry, history=history, status=str(event["status"]), journalled=True)
    if "do" in event:
        return entry.with_draft(draft_from(event["do"], words))
    if "undo" in event:
        return entry.undone()
    if "redo" in event:
        return entry.redone()
    if isinstance(event.get("note"), str):
        return entry.with_note(event["note"])
    raise ValueError("no event of a pair")


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


def _refuse_other_sentences(
    path: Path, pairs: Sequence[SentencePair], source: Sequence[Beginning] | None
) -> None:
    if source is None:
        return
    if len(source) != len(pairs):
        raise FormatError(f"holds {len(pairs)} pairs, but {len(source)} are given", str(path))
    for pair, given in zip(pairs, source, strict=True):
        words = pair.sentence1.words, pair.sentence2.words
        if pair.id != given.pair.id or words != given.draft.words:
            reason = f"pair {pair.id}: its sentences are not those given as pair {given.pair.id}"
            raise FormatError(reason, str(path), pair.line_of(None))
