"""The one tree of exceptions: everything ists raises on purpose is an `IstsError`."""

from collections.abc import Sequence


class IstsError(Exception):
    """Something the user can put right; its text is one line that says what and where."""


def printable(text: str) -> str:
    """Text for a terminal: control characters and broken bytes as escapes, all on one line."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape", "surrogatepass").decode()
        for sign in text
    )


def listed(names: Sequence[str], most: int = 10) -> str:
    """The first of perhaps many names, for a message."""
    return printable(", ".join(names[:most])) + (", …" if len(names) > most else "")


class FormatError(IstsError):
    """A file is not what its format asks for: ``file:line: what is wrong, what was expected``."""

    def __init__(self, reason: str, file: str = "", line: int | None = None) -> None:
        self.reason = reason
        self.file = file
        self.line = line
        super().__init__(reason, file, line)

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line) if part not in ("", None))
        return printable(f"{where}: {self.reason}" if where else self.reason)


class ModelError(IstsError):
    """A model or a table shipped with it is missing, damaged or foreign."""


class UndefinedError(IstsError):
    """A figure does not exist for these data: constant scores, too few pairs."""
