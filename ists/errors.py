"""Exception hierarchy: all errors that ists raises for the user derive from `IstsError`."""

from collections.abc import Sequence


class IstsError(Exception):
    """An error the user can correct; its message is one line that says what is wrong and where."""


def printable(text: str) -> str:
    """Escape control characters and invalid bytes, so that the text prints on one line."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape", "surrogatepass").decode()
        for sign in text
    )


def listed(names: Sequence[str], most: int = 10) -> str:
    """Join the first names of a list for a message."""
    return printable(", ".join(names[:most])) + (", …" if len(names) > most else "")


class FormatError(IstsError):
    """A file violates its format: ``file:line: what is wrong, what was expected``."""

    def __init__(self, reason: str, file: str = "", line: int | None = None) -> None:
        self.reason = reason
        self.file = file
        self.line = line
        super().__init__(reason, file, line)

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line) if part not in ("", None))
        return printable(f"{where}: {self.reason}" if where else self.reason)


class ModelError(IstsError):
    """A model or a shipped table is missing, damaged or of another kind or version."""


class UndefinedError(IstsError):
    """A figure is undefined for the data, such as constant scores or too few pairs."""
