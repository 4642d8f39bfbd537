"""The tree of errors: exit codes, the form of a message, and the picture at the top of the module."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sfumato import errors
from sfumato.errors import Bug, DataError, FileError, MissingExtra, SfumatoError, did_you_mean

TREE = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, SfumatoError)]


def test_the_picture_shows_the_tree() -> None:
    depth: dict[str, str] = {}
    path: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"    ([ |`-]*)([A-Z]\w+)", line)
        if not match:
            continue
        indent, name = len(match[1]), match[2]
        path = [(level, above) for level, above in path if level < indent]
        depth[name] = path[-1][1] if path else "Exception"
        path.append((indent, name))
    assert depth == {error.__name__: error.__base__.__name__ for error in TREE if error.__base__}


def test_everything_is_exported() -> None:
    assert set(errors.__all__) == {error.__name__ for error in TREE} | {
        "a_or_an",
        "did_you_mean",
        "either",
        "listed",
        "shortened",
    }
    assert errors.__all__ == sorted(errors.__all__)


@pytest.mark.parametrize("error", TREE, ids=lambda error: error.__name__)
def test_mistakes_of_the_caller_exit_with_2_and_the_rest_with_1(error: type[SfumatoError]) -> None:
    assert error.exit_code == (2 if issubclass(error, errors.CallerError) else 1)


def test_a_file_error_names_the_file_and_the_line() -> None:
    assert str(FileError(Path("a/b.csv"), "wanted x, found y")) == "a/b.csv: wanted x, found y"
    assert str(FileError("b.csv", "wanted x, found y", line=3)) == "b.csv, line 3: wanted x, found y"
    assert issubclass(FileError, DataError)


def test_a_missing_extra_says_what_to_install() -> None:
    assert (
        str(MissingExtra("geopandas", "frames"))
        == "geopandas is not installed: pip install 'sfumato[frames]', or in a checkout pip install '.[frames]'"
    )


def test_a_bug_asks_to_be_reported() -> None:
    assert str(Bug("codes without names")) == "codes without names; this is a bug in sfumato, please report it"


NUMBERS = [f"{number:02}" for number in range(41)]


@pytest.mark.parametrize(
    ("name", "known", "said"),
    [
        ("kmm", ["km", "klm"], "did you mean 'km'?"),
        ("nothing like it", ["klm", "km"], "known are klm, km"),
        ("anything", iter(["b", "a"]), "known are a, b"),
        ("anything", [], "there are none"),
        ("zzz", NUMBERS[:40], "known are " + ", ".join(NUMBERS[:40])),
        ("zzz", NUMBERS, "known are " + ", ".join(NUMBERS[:30]) + " and 11 more"),
        ("quasi", ["cut", "quasi-identifier"], "did you mean 'quasi-identifier'?"),
    ],
)
def test_did_you_mean(name: str, known: list[str], said: str) -> None:
    assert did_you_mean(name, known) == said
