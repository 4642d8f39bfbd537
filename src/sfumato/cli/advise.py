"""`sfumato advise INPUT --promise MODEL`: try and rank the methods that keep a promise."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import METHODS
from sfumato.cli.shared.completion import complete_measures
from sfumato.cli.shared.flags import with_flags
from sfumato.cli.shared.guarantee_options import PROMISE_HELP, Promised, Promising, promise_names, promises_of
from sfumato.cli.shared.options import Named, input_options, json_option, load, sides_of, with_options
from sfumato.cli.shared.render import print_json, runs_progress, say, table

if TYPE_CHECKING:
    from sfumato.experiments.advice.advice import Advice, Trial
    from sfumato.prepare.base import Preparation

__all__ = ["command", "commands_of"]

_READING = ("columns", "person", "kind", "missing", "dates", "sheet")  # options for reading the input


class _Advise(Promising):
    flag = "--promise"
    several = True
    position = 2


@with_options(input_options())
@click.command("advise", cls=_Advise)
@click.argument("input", type=click.Path(path_type=Path))
@click.option(
    "--promise",
    multiple=True,
    type=Promised(),
    required=True,
    help=f"A privacy model to keep, {PROMISE_HELP}; may be given several times, each with its own options after it.",
)
@click.option(
    "--method",
    multiple=True,
    type=Named(METHODS),
    help="A method of your own to try in addition to the installed methods, as module:Class; may be repeated.",
)
@click.option(
    "--care",
    multiple=True,
    shell_complete=complete_measures,
    help="A measure to optimize, with parameters as in are:queries=500, or the first letters of several measures; "
    "may be given several times [default: are, or the first measure that fits].",
)
@click.option("--seconds", type=float, default=300.0, show_default=True, help="The time budget for all runs.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed repeats every figure.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="The number of parallel runs [default: one per core].")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Also write a private directory with table, chart and report."
)
@json_option
def command(
    input: Path,
    promise: tuple[str, ...],
    method: tuple[str, ...],
    care: tuple[str, ...],
    seconds: float,
    seed: int,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Try the methods that keep one or several promises, and recommend one.

    A method is tried if it keeps a promise and its side knowledge is given; other promises are verified on its
    release.  It runs with several values of its other parameters.  Runs on samples come first: they estimate which
    candidates finish in time.  Trajectories are also tried on prepared data: grids, popular regions, stops and single
    days, as far as they suit the data.  The result is the Pareto front, a recommended candidate, and the commands that
    repeat its run.  All figures are private.
    """
    from sfumato.experiments.advice.advising import advise
    from sfumato.experiments.reports.advice_page import write_advice
    from sfumato.io.outputs import require_fresh

    given = {name: value for name in promise_names() if (value := options.pop(name)) is not None}
    models = promises_of(promise, given)
    if out is not None:
        require_fresh(out)
    typed = dict(options)
    data = load(input, options)
    with runs_progress(not as_json) as tell:
        advice = advise(data, models, care, seconds=seconds, seed=seed, jobs=jobs, also=method, tell=tell)
    repeat, other = (
        "" if trial is None else "\n".join(map(shlex.join, commands_of(advice, str(input), typed, trial)))
        for trial in (advice.recommended, advice.other)
    )
    no_chart = "" if out is None else write_advice(advice, out, command=repeat, about=input.name)
    if as_json:
        commands = {"command": repeat or None, "other_command": other or None}
        print_json({"input": str(input), **advice.to_json(), **commands})
    else:
        _show(advice, repeat, other)
        if no_chart:
            say(f"No chart: {no_chart}.")
        if out is not None:
            say(f"{out} is private: it holds figures about the original.")
    return 0 if advice.recommended is not None else 1


def commands_of(
    advice: Advice, input: str, typed: Mapping[str, Any], trial: Trial | None = None, out: str = "RELEASE"
) -> list[list[str]]:
    """The commands that repeat a run, by default the recommended one, as lists of words; none if none is recommended.

    typed : the options that were given.  The preparations of the candidate come first; each writes the input of the
    next command.  The command of a differentially private run has no seed, because the seed would reveal the noise.
    """
    trial = trial or advice.recommended
    if trial is None:
        return []
    from sfumato.cli.preparing.steps import command_of_step
    from sfumato.methods.promise_texts import text_of_promise

    best = trial.candidate
    commands = []
    for number, step in enumerate(best.preparation, start=1):
        reading = _words(typed, ("columns", "person", "places")) if number == 1 else []
        prepared = f"PREPARED{'' if number == 1 else f'-{number}'}.csv"
        commands.append(command_of_step(step, input, prepared, reading))
        input = prepared
    own = [word for name, value in best.options.items() for word in (f"--{name.replace('_', '-')}", value)]
    sides = sides_of(best.method.side_knowledge(), best.method.kind)
    names = [*([] if best.preparation else _READING), *(sides if all(map(_keeps_locations, best.preparation)) else [])]
    verified = [word for promise in best.verified for word in ("--promise", text_of_promise(promise))]
    seed = [] if any(promise.seeded for promise in advice.promises) else ["--seed", str(advice.seed)]
    name = METHODS.name_of(type(best.method))
    words = ["sfumato", "anonymize", name, input, *own, *_words(typed, names), *verified, *seed, "--out", out]
    return [*commands, words]


def _keeps_locations(step: Preparation) -> bool:
    """Whether side files about locations fit the data after this step."""
    from sfumato.prepare.splitting import Split

    return isinstance(step, Split)


def _words(typed: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Options as they were given, as words of a command."""
    words = []
    for name in names:
        value = typed.get(name)
        if value is not None and value is not False:
            words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return words


def _show(advice: Advice, repeat: str, other: str) -> None:
    from sfumato.experiments.reports.advice_page import advice_head, advice_rows

    rows = advice_rows(advice)
    if rows:
        table(f"{advice.promise}:", advice_head(advice.cared), rows)
    for sentence in advice.near_total:
        say(sentence)
    for what, sentences in (("not compared", advice.unfinished), ("not tried", advice.lacking)):
        for sentence in _by_reason([with_flags(sentence) for sentence in sentences]):
            say(f"{what}: {sentence}")
    say()
    for sentence in advice.sentences:
        say(sentence)
    if repeat:
        say(_indented(repeat))
    if other:
        say(f"With the other promise:\n{_indented(other)}")
    for sentence in advice.notes:
        say(f"- {sentence}")


def _by_reason(sentences: Sequence[str]) -> list[str]:
    """Sentences of candidates, with those of the same reason as one.

    >>> _by_reason(["lra, parts=2: not started", "coat: stopped after 3 s", "lra, parts=4: not started"])
    ['lra, parts=2; lra, parts=4: not started', 'coat: stopped after 3 s']
    """
    names: dict[str, list[str]] = {}
    for sentence in sentences:
        name, _, reason = sentence.partition(": ")
        names.setdefault(reason, []).append(name)
    return [f"{'; '.join(several)}: {reason}" for reason, several in names.items()]


def _indented(commands: str) -> str:
    return "\n" + "".join(f"    {line}\n" for line in commands.splitlines())
