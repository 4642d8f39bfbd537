"""Everything that can go wrong, as one tree.

    SfumatoError
    |-- CallerError            a mistake of the caller; the command line exits with 2
    |   |-- ParameterError     a parameter outside its declared range
    |   |-- DataError          data that cannot be used as they are
    |   |   `-- FileError      the same, in a file: names it, and the line where there is one
    |   |-- MissingKnowledge   a method needs side knowledge that the data do not carry
    |   |-- MissingExtra       an optional package is not installed
    |   |-- Infeasible         the promise cannot be kept on these data
    |   `-- OutputError        the output cannot go where it was asked to go
    |-- Cancelled              somebody cancelled the runs
    |-- PromiseBroken          a verifier refused a release; the command line exits with 1
    `-- Bug                    sfumato contradicts itself; please report it

Every message is one sentence: the source of the error, what was wanted, what was found, and a remedy if there is one.
`remedy` is the key of the remedy: the sentence names no options, and the command line adds its own.
No message quotes a private record.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from sfumato.remedies import keep_remedy, with_remedy

__all__ = [
    "Bug",
    "CallerError",
    "Cancelled",
    "DataError",
    "FileError",
    "Infeasible",
    "MissingExtra",
    "MissingKnowledge",
    "OutputError",
    "ParameterError",
    "PromiseBroken",
    "SfumatoError",
    "a_or_an",
    "did_you_mean",
    "either",
    "listed",
    "shortened",
]


class SfumatoError(Exception):
    """The root of the tree."""

    exit_code = 1

    def __init__(self, problem: str = "", *, remedy: str = "", **details: Any) -> None:
        """A sentence about the problem, ended with the words of a remedy (of `sfumato.remedies`) if there is one."""
        super().__init__(with_remedy(problem, remedy, **details) if remedy else problem)

    @property
    def remedy(self) -> str:
        """The key of the remedy in `sfumato.remedies.REMEDIES`, or an empty text."""
        return str(getattr(self.args[0], "remedy", ""))


class CallerError(SfumatoError):
    """A mistake of the caller, who can correct it."""

    exit_code = 2


class ParameterError(CallerError):
    """A parameter outside its declared range."""


class DataError(CallerError):
    """Data that cannot be used as they are."""


class FileError(DataError):
    """A file that cannot be used as it is.

    >>> str(FileError("visits.csv", "wanted a location, found nothing", line=7))
    'visits.csv, line 7: wanted a location, found nothing'
    """

    def __init__(
        self, file: str | Path, problem: str, *, line: int | None = None, remedy: str = "", **details: Any
    ) -> None:
        where = str(file) if line is None else f"{file}, line {line}"
        super().__init__(keep_remedy(f"{where}: {problem}", problem), remedy=remedy, **details)


class MissingKnowledge(CallerError):
    """A method needs side knowledge (places, a taxonomy, ...) that the data do not carry."""


class MissingExtra(CallerError):
    """An optional package is not installed.

    >>> str(MissingExtra("altair", "report"))
    "altair is not installed: pip install 'sfumato[report]', or in a checkout pip install '.[report]'"
    """

    def __init__(self, package: str, extra: str) -> None:
        lines = f"pip install 'sfumato[{extra}]', or in a checkout pip install '.[{extra}]'"
        super().__init__(f"{package} is not installed: {lines}")


class Infeasible(CallerError):
    """The promise cannot be kept on these data with these parameters."""


class OutputError(CallerError):
    """The output cannot go where it was asked to go."""


class Cancelled(SfumatoError):
    """Somebody cancelled the runs before they were done."""


class PromiseBroken(SfumatoError):
    """A verifier refused a release."""


class Bug(SfumatoError):
    """Sfumato contradicts itself."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}; this is a bug in sfumato, please report it")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known one, or what is known.

    >>> did_you_mean("seqannon", ["seqanon", "cast"])
    "did you mean 'seqanon'?"
    >>> did_you_mean("x", ["km", "klm"])
    'known are klm, km'
    >>> did_you_mean("quasi", ["cut", "quasi-identifier"])
    "did you mean 'quasi-identifier'?"
    """
    names = sorted(known)
    close = get_close_matches(name, names, n=1) or [one for one in names if len(name) > 2 and name in one]
    if close:
        return f"did you mean '{shortened(close[0])}'?"
    more = f" and {len(names) - 30} more" if len(names) > 40 else ""
    shown = names[: 30 if more else 40]
    return f"known are {', '.join(map(shortened, shown))}{more}" if names else "there are none"


def listed(names: Sequence[str]) -> str:
    """The names of columns inside a sentence, which stays one even where a file has thousands of them, or long ones.

    >>> listed(["age", "town"]), listed([]), listed([str(number) for number in range(40)])
    ('age, town', 'none', '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 28 more')
    """
    shown = [shortened(name) for name in names[:12]]
    more = f" and {len(names) - 12:,} more" if len(names) > 12 else ""
    return f"{', '.join(shown)}{more}" if shown else "none"


def shortened(name: str) -> str:
    """A name inside a sentence, not longer than forty characters."""
    return name if len(name) <= 40 else f"{name[:37]}..."


def either(words: Sequence[str]) -> str:
    """A choice in words.

    >>> either(["table"]), either(["table", "mixed"]), either(["roads", "table", "mixed"])
    ('table', 'table or mixed', 'roads, table or mixed')
    """
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def counted(number: int, noun: str) -> str:
    """A number and its noun: "1 leak", "2 leaks".

    >>> counted(1, "leak"), counted(1200, "visit")
    ('1 leak', '1,200 visits')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def a_or_an(name: str) -> str:
    """A name with its article.

    >>> a_or_an("item"), a_or_an("location")
    ('an item', 'a location')
    """
    return f"{'an' if name[:1].lower() in set('aeiou') else 'a'} {name}"
