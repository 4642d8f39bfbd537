"""The parts of a large run: which cases each has, in batches for warm processes, and what came of them."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import count
from typing import Any

from trials.pool import over_cores

__all__ = ["PARTS", "Result", "repeat"]

_BATCH = 40


@dataclass
class Result:
    """A part of the table: rows of counts under a header, and every finding with the case that repeats it."""

    title: str
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    found: list[tuple[str, str]] = field(default_factory=list)  # case, sentence
    note: str = ""


def _releases(said: argparse.Namespace) -> Result:
    """Batches of one method after the other until every model has as many releases as were asked for."""
    from trials.releases import AIMS

    made: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    result = Result("Releases, judged from their files", ("model", "releases", "found"))
    broken: Counter[str] = Counter()
    more: Counter[str] = Counter()

    def batches() -> Iterator[list[str]]:
        for model in sorted(AIMS, key=lambda one: one in ("k-anonymity", "km")):  # what others promise too, last
            for number in count(said.seed * 1_000_000, _BATCH):
                if made[model] >= said.releases or number - said.seed * 1_000_000 > 50 * (said.releases + _BATCH):
                    break
                method = AIMS[model][number // _BATCH % len(AIMS[model])]
                yield [f"{method}-{at}:{model}" for at in range(number, number + _BATCH)]

    for one in over_cores(_judge, batches(), said.cores):
        tried[one.method] += 1
        refused[one.method] += bool(one.refused)
        if one.models:
            more.update(["releases", *(["verified"] if one.verified else []), *(["again"] if one.again else [])])
        for model in one.models:
            made[model] += 1
            broken[model] += bool(one.found)
        result.found += [(one.case, sentence) for sentence in one.found]
        _tell("releases", sum(tried.values()), len(result.found))
    result.rows = [(model, made[model], broken[model]) for model in AIMS]
    shares = [f"{method} {refused[method] / tried[method]:.0%}" for method in sorted(tried)]
    result.note = (
        f"{more['releases']:,} releases of {tried.total():,} cases. {more['verified']:,} were also verified and "
        f"read back, {more['again']:,} of these run twice more, verified and searched for leaks with the original. "
        f"Refused in one sentence, by method: {', '.join(shares)}."
    )
    few = [method for method in tried if tried[method] > 100 and refused[method] * 2 > tried[method]]
    result.found += [(method, "more than half of the cases are refused") for method in few]
    return result


def _compared(said: argparse.Namespace) -> Result:
    from trials.releases import AIMS

    holds: Counter[str] = Counter()
    breaks: Counter[str] = Counter()
    other: Counter[str] = Counter()
    result = Result("Verifiers beside checkers", ("model", "datasets", "kept", "broken", "found"))
    first = said.seed * 1_000_000

    def batches() -> Iterator[list[str]]:
        for model in AIMS:
            for at in range(first, first + said.compared, 10 * _BATCH):
                yield [f"{model}={one}" for one in range(at, min(at + 10 * _BATCH, first + said.compared))]

    for one in over_cores(_compare, batches(), said.cores):
        if not one.skipped:
            (holds if one.holds else breaks)[one.model] += 1
        other[one.model] += bool(one.found)
        result.found += [(one.case, sentence) for sentence in one.found]
        _tell("compared", holds.total() + breaks.total(), len(result.found))
    for model in AIMS:
        result.rows.append((model, holds[model] + breaks[model], holds[model], breaks[model], other[model]))
    return result


def _tampered(said: argparse.Namespace) -> Result:
    from trials.changes import CHANGES

    cases: Counter[str] = Counter()
    unseen: Counter[str] = Counter()
    result = Result("Directories tampered with, digests made to fit", ("change", "directories", "unnoticed"))
    seeds = range(said.seed, said.seed + said.tampered)
    chosen = [name for some in over_cores(_bases, ([seed] for seed in seeds), said.cores) for name in some]
    for one in over_cores(_tamper, ([(name, change) for change in CHANGES] for name in chosen), said.cores):
        if one is None:
            continue
        cases[one.tamper] += 1
        unseen[one.tamper] += bool(one.found)
        result.found += [(f"{one.case} / {one.tamper}", sentence) for sentence in one.found]
        _tell("tampered", cases.total(), len(result.found))
    result.rows = [(change, cases[change], unseen[change]) for change in CHANGES]
    return result


def _mutants(said: argparse.Namespace) -> Result:
    run: Callable[[int, int], dict[str, tuple[int, list[str]]]] = import_module("trials.mutants").run
    result = Result("Mutants of input files", ("reader", "mutants", "found"))
    share = [said.mutants // said.cores + (at < said.mutants % said.cores) for at in range(said.cores)]
    jobs = [(amount, said.seed + at) for at, amount in enumerate(share)]
    counts: Counter[str] = Counter()
    failures: dict[str, list[str]] = {}
    for one in over_cores(partial(_of_module, run), ([job] for job in jobs), said.cores):
        for reader, (cases, found) in one.items():
            counts[reader] += cases
            failures.setdefault(reader, []).extend(found)
    result.rows = [(reader, counts[reader], len(failures[reader])) for reader in sorted(counts)]
    result.found = [(reader, sentence) for reader in sorted(failures) for sentence in failures[reader]]
    return result


def _kills(said: argparse.Namespace) -> Result:
    run: Callable[..., list[str]] = import_module("trials.kills").run
    result = Result("Runs killed, or out of disk space, while they write with a ledger", ("", "runs", "found"))
    half = (said.kills + 1) // 2
    for kind, what in _ENDS.items():
        found = run(half, said.seed, kinds=kind)
        result.rows.append((what, half, len(found)))
        result.found += [(f"kills {kind}", sentence) for sentence in found]
        _tell("kills", half * len(result.rows), len(result.found))
    return result


_ENDS = {
    "time": "killed after a random time",
    "line": "killed before a random line",
    "space": "out of disk space at a random call",
}


PARTS: dict[str, Callable[[argparse.Namespace], Result]] = {
    "releases": _releases,
    "compared": _compared,
    "tampered": _tampered,
    "mutants": _mutants,
    "kills": _kills,
}


def repeat(name: str) -> int:
    """Run one case again and print what is found; a tampered one is called ``seqanon-0 / wrong count``."""
    if " / " in name:
        case, _, change = name.partition(" / ")
        one: Any = _tamper((case, change))
    else:
        one = _compare(name) if "=" in name else _judge(name, again=True)
    print(one)
    return 0 if one is None else len(one.found)


def _judge(name: str, **more: Any) -> Any:
    from trials.releases import judge

    return judge(name, **more)


def _compare(name: str) -> Any:
    from trials.comparison import compare

    return compare(name)


def _bases(seed: int) -> list[str]:
    from trials.tampered import bases

    return bases(seed)


def _tamper(case: tuple[str, str]) -> Any:
    from trials.tampered import tamper

    return tamper(*case)


def _of_module(run: Callable[..., Any], job: tuple[int, int]) -> Any:
    return run(*job)


_told = [0.0]


def _tell(part: str, done: int, found: int) -> None:
    """Progress on stderr, every few seconds."""
    if time.monotonic() - _told[0] > 5:
        _told[0] = time.monotonic()
        print(f"{part}: {done:,} done, {found:,} found", file=sys.stderr, flush=True)
