"""Judging a claim about a chart by the medians of its figures, with a sentence that explains the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any, Literal

from sfumato.experiments.definition.experiment import Expectation, pretty

__all__ = ["Finding", "Point", "judge"]

Verdict = Literal["holds", "holds in part", "does not hold", "cannot be judged"]
_SHOWN = 5


@dataclass(frozen=True)
class Point:
    """A figure of one configuration at one setting: the median of its runs, and their extremes."""

    median: float
    low: float
    high: float
    runs: int = 1


Points = Mapping[tuple[str, Any], Point]


@dataclass(frozen=True)
class Finding:
    """The verdict on a claim, and a sentence that explains it."""

    verdict: Verdict
    sentence: str

    def __str__(self) -> str:
        return f"{self.verdict[0].upper()}{self.verdict[1:]}: {self.sentence}."


def judge(expects: Expectation, points: Points, settings: Sequence[Any], parameter: str) -> Finding:
    """Judge a claim about the figures at these settings of the varying parameter.

    >>> claim = Expectation("ordering", ("new", "old"), better="lower")
    >>> planted = {("new", 2): Point(3, 3, 3), ("old", 2): Point(4, 4, 4)}
    >>> planted |= {("new", 5): Point(6, 6, 6), ("old", 5): Point(5, 5, 5)}
    >>> print(judge(claim, planted, [2, 5], "k"))
    Holds in part: new is lower than old at 1 of 2 values of k, by 25%; not at k = 5 (20% higher).
    """
    within = [setting for setting in settings if _within(expects, setting)]
    complete = [s for s in within if all((name, s) in points for name in expects.configurations)]
    if not complete or (expects.kind == "monotone" and len(complete) < 2):
        return Finding("cannot be judged", "too few of its figures exist")
    clauses = _JUDGES[expects.kind](expects, points, complete, parameter)
    good, bad = ({verdict == wanted for verdict, _ in clauses} for wanted in ("holds", "does not hold"))
    verdict: Verdict = "holds in part"
    if good == {True} or bad == {True}:
        verdict = "holds" if good == {True} else "does not hold"
    sentence = "; ".join(clause for _, clause in clauses)
    if len(complete) < len(within):
        absent = [_at(parameter, setting) for setting in within if setting not in complete]
        sentence += f"; not judged at {_listed(absent)}, where a figure is missing"
    return Finding(verdict, sentence)


def _within(expects: Expectation, setting: Any) -> bool:
    low, high = expects.start, expects.end
    return (low is None or setting >= low) and (high is None or setting <= high)


Clause = tuple[Verdict, str]


def _ordering(expects: Expectation, points: Points, settings: Sequence[Any], parameter: str) -> list[Clause]:
    return [_pair(a, b, expects, points, settings, parameter) for a, b in pairwise(expects.configurations)]


def _pair(a: str, b: str, expects: Expectation, points: Points, settings: Sequence[Any], parameter: str) -> Clause:
    """Whether a is better than b, at which settings, and by which share of b."""
    other = {"lower": "higher", "higher": "lower"}[expects.better]
    gains: list[tuple[float, str]] = []
    against: list[str] = []
    beyond = 0
    for setting in settings:
        left, right = points[a, setting], points[b, setting]
        ahead = right.median - left.median if expects.better == "lower" else left.median - right.median
        worse, best = (right.median, left.median) if expects.better == "lower" else (left.median, right.median)
        if ahead > 0 and worse >= expects.factor * best:
            gains.append(_share(ahead, right.median))
            beyond += (left.high < right.low) if expects.better == "lower" else (left.low > right.high)
        else:
            words = "equal" if ahead == 0 else f"{_share(abs(ahead), right.median)[1]} {other}"
            words = f"only {_share(ahead, right.median)[1]} {expects.better}" if ahead > 0 else words
            against.append(f"{_at(parameter, setting)} ({words})" if setting is not None else f"({words})")
    by = "" if expects.factor == 1 else f" by a factor of at least {pretty(expects.factor)}"
    claim = f"{a} is {expects.better} than {b}{by}"
    if len(settings) == 1 and not gains:
        place = "" if settings == [None] else "at "
        return "does not hold", f"{a} is not {expects.better} than {b}{by} {place}{against[0]}"
    if settings == [None]:
        return "holds", f"{claim}, by {gains[0][1]}" + _spread(beyond, 1, points, settings, a)
    clause = f"{claim} {_where(len(gains), settings, parameter)}"
    if gains:
        clause += f", by {_range(gains)}" + _spread(beyond, len(gains), points, settings, a)
    if against:
        clause += f"; not at {_listed(against)}" if gains else f": {_listed(against)}"
    return ("holds" if not against else "holds in part" if gains else "does not hold"), clause


def _share(difference: float, of: float) -> tuple[float, str]:
    """A difference as a share of a value (the difference itself if the value is 0), as a number and as a text."""
    if of == 0:
        return difference, pretty(difference)
    return difference / abs(of), _percent(difference / abs(of))


def _percent(share: float) -> str:
    """A share in percent, with two digits.

    >>> [_percent(share) for share in (0.006583, 0.27651, 0.998, 3.4012)]
    ['0.66%', '28%', '100%', '340%']
    """
    return f"{100 * share:.2g}%" if abs(share) < 0.1 else f"{100 * share:,.0f}%"


def _range(gains: list[tuple[float, str]]) -> str:
    ordered = sorted(gains)
    if ordered[0][1] == ordered[-1][1]:
        return ordered[0][1]
    middle = median(number for number, _ in ordered)
    words = f"{ordered[0][1]} to {ordered[-1][1]}"
    same_unit = all(text.endswith("%") for _, text in ordered)
    return f"{words} (median {_percent(middle)})" if same_unit and len(ordered) > 2 else words


def _spread(beyond: int, of: int, points: Points, settings: Sequence[Any], name: str) -> str:
    """Whether the ranges of the repetitions overlap; empty for single runs."""
    runs = min(points[name, setting].runs for setting in settings)
    if runs < 2:
        return ""
    where = (
        ("" if of == 1 else "everywhere ") if beyond == of else "nowhere " if beyond == 0 else f"at {beyond} of them "
    )
    if of == 1 and beyond == 0:
        return f", within the spread of {runs} repetitions"
    return f", {where}beyond the spread of {runs} repetitions"


def _equal(expects: Expectation, points: Points, settings: Sequence[Any], parameter: str) -> list[Clause]:
    """Whether each differs from the first by no more than a share of it."""
    first, *others = expects.configurations
    how = f"within {_percent(expects.within)} of" if expects.within else "equal to"
    clauses: list[Clause] = []
    for name in others:
        apart = []
        for setting in settings:
            left, right = points[first, setting].median, points[name, setting].median
            if abs(right - left) > expects.within * abs(left):
                words = f"{_share(abs(right - left), left)[1]} {'higher' if right > left else 'lower'}"
                apart.append(f"({words})" if setting is None else f"{_at(parameter, setting)} ({words})")
        if settings == [None]:
            no = "not " if apart else ""
            clause = " ".join([f"{name} is {no}{how} {first}", *apart])
            clauses.append(("does not hold" if apart else "holds", clause))
            continue
        clause = f"{name} is {how} {first} {_where(len(settings) - len(apart), settings, parameter)}"
        clause += f"; not at {_listed(apart)}" if apart else ""
        clauses.append((_verdict(len(apart), len(settings)), clause))
    return clauses


def _verdict(against: int, of: int) -> Verdict:
    return "holds" if not against else "holds in part" if against < of else "does not hold"


def _monotone(expects: Expectation, points: Points, settings: Sequence[Any], parameter: str) -> list[Clause]:
    return [_trend(name, expects, points, settings, parameter) for name in expects.configurations]


def _trend(name: str, expects: Expectation, points: Points, settings: Sequence[Any], parameter: str) -> Clause:
    sign = 1 if expects.direction == "rising" else -1
    word, wrong = ("rises", "falls") if sign == 1 else ("falls", "rises")
    line = [points[name, setting] for setting in settings]
    first, last = line[0].median, line[-1].median
    if all(point.median == first for point in line):
        return "does not hold", f"{name} is {pretty(first)} at all {len(settings)} values of {parameter}"
    span = f"from {pretty(first)} ({_at(parameter, settings[0])}) to {pretty(last)} ({_at(parameter, settings[-1])})"
    against = []
    for (before, earlier), (after, later) in pairwise(zip(settings, line, strict=True)):
        step = sign * (later.median - earlier.median)
        if step < 0:
            noise = ", within the spread" if max(earlier.low, later.low) <= min(earlier.high, later.high) else ""
            against.append(f"{_at(parameter, before)} to {after} ({_share(-step, earlier.median)[1]}{noise})")
    if not against:
        return "holds", f"{name} {word} {span} and never {wrong}"
    steps = f"it {wrong} at {len(against)} of {len(settings) - 1} steps: {_listed(against)}"
    if sign * (last - first) > 0:
        return "holds in part", f"{name} {word} {span}, but {steps}"
    return "does not hold", f"{name} goes {span}; {steps}"


def _bounds(expects: Expectation, points: Points, settings: Sequence[Any], parameter: str) -> list[Clause]:
    low, high = expects.at_least, expects.at_most
    words = [f"at least {pretty(low)}"] if low is not None else []
    words += [f"at most {pretty(high)}"] if high is not None else []
    clauses: list[Clause] = []
    for name in expects.configurations:
        outside = []
        for setting in settings:
            value = points[name, setting].median
            if (low is not None and value < low) or (high is not None and value > high):
                place = "" if setting is None else f"{_at(parameter, setting)}: "
                outside.append(f"{place}{pretty(value)}")
        claim = f"{name} is {' and '.join(words)}"
        if settings == [None]:
            shown = pretty(points[name, None].median)
            no = f"{name} is not {' and '.join(words)}"
            clauses.append(("does not hold", f"{no} ({shown})") if outside else ("holds", f"{claim} ({shown})"))
            continue
        if len(settings) == 1 and outside:
            clauses.append(("does not hold", f"{name} is not {' and '.join(words)} at {outside[0]}"))
            continue
        clause = f"{claim} {_where(len(settings) - len(outside), settings, parameter)}"
        clause += f"; not at {_listed(outside)}" if outside else ""
        clauses.append((_verdict(len(outside), len(settings)), clause))
    return clauses


_JUDGES = {"ordering": _ordering, "equal": _equal, "monotone": _monotone, "bounds": _bounds}


def _at(parameter: str, setting: Any) -> str:
    shown = pretty(setting) if isinstance(setting, float) else str(setting)
    return f"{parameter} = {shown}"


def _where(some: int, settings: Sequence[Any], parameter: str) -> str:
    """The number of settings, in words.

    >>> _where(2, [2, 5], "k"), _where(0, [2, 5], "k"), _where(1, [5], "k")
    ('at all 2 values of k', 'at none of 2 values of k', 'at k = 5')
    """
    if some == len(settings):
        return f"at all {some} values of {parameter}" if some > 1 else f"at {_at(parameter, settings[0])}"
    return f"at {some or 'none'} of {len(settings)} values of {parameter}"


def _listed(words: Sequence[str]) -> str:
    """A list in words, cut short.

    >>> _listed(["a", "b", "c"]), _listed(list("abcdefg"))
    ('a, b and c', 'a, b, c, d, e and 2 more')
    """
    shown = list(words[:_SHOWN])
    if len(words) > len(shown):
        return f"{', '.join(shown)} and {len(words) - len(shown)} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
