"""Undo and redo: the history of a pair's drafts, which are immutable."""

from dataclasses import dataclass

from ists.annotate.draft import Draft


@dataclass(frozen=True)
class History:
    """The present draft, earlier drafts and undone ones."""

    present: Draft
    past: tuple[Draft, ...] = ()
    future: tuple[Draft, ...] = ()

    def do(self, draft: Draft) -> "History":
        """Add a new draft; undone drafts are discarded."""
        if draft == self.present:
            return self
        return History(draft, (*self.past, self.present))

    def undo(self) -> "History":
        """Go back to the previous draft, if any."""
        if not self.past:
            return self
        return History(self.past[-1], self.past[:-1], (self.present, *self.future))

    def redo(self) -> "History":
        """Revert the last undo, if any."""
        if not self.future:
            return self
        return History(self.future[0], (*self.past, self.present), self.future[1:])
