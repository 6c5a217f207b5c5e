"""Undo and redo: the drafts a pair has gone through, each a value of its own."""

from dataclasses import dataclass

from ists.annotate.draft import Draft


@dataclass(frozen=True)
class History:
    """The present draft, those before it and those that were undone."""

    present: Draft
    past: tuple[Draft, ...] = ()
    future: tuple[Draft, ...] = ()

    def do(self, draft: Draft) -> "History":
        """Go on to a new draft; what was undone before is given up."""
        if draft == self.present:
            return self
        return History(draft, (*self.past, self.present))

    def undo(self) -> "History":
        """One draft back, if there is one."""
        if not self.past:
            return self
        return History(self.past[-1], self.past[:-1], (self.present, *self.future))

    def redo(self) -> "History":
        """Take the last undo back, if there is one."""
        if not self.future:
            return self
        return History(self.future[0], (*self.past, self.present), self.future[1:])
