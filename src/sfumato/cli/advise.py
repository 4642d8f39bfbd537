"""`sfumato advise INPUT --promise MODEL`: the methods that keep a promise, tried and ranked."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import MODELS
from sfumato.cli.shared.guarantee_options import promise_names, promise_of, promise_options
from sfumato.cli.shared.options import input_options, json_option, load, sides_of, with_options
from sfumato.cli.shared.render import print_json, runs_progress, say, table

if TYPE_CHECKING:
    from sfumato.experiments.advice.advice import Advice

__all__ = ["command"]


class _Advise(click.Command):
    """Takes the parameters of all models; they are looked up when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        return [*own[:2], *promise_options("--promise"), *own[2:]]


@with_options(input_options())
@click.command("advise", cls=_Advise)
@click.argument("input", type=click.Path(path_type=Path))
@click.option("--promise", type=click.Choice(list(MODELS)), required=True, help="What is to be promised.")
@click.option(
    "--care",
    multiple=True,
    help="A measure that matters, or the beginning of several names; may be given several times "
    "[default: are, or the first that fits].",
)
@click.option("--seconds", type=float, default=300.0, show_default=True, help="How long the whole may take.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Repeats every figure.")
@click.option("--jobs", type=click.IntRange(min=1), help="How many runs at a time [default: one for each core].")
@click.option("--out", type=click.Path(path_type=Path), help="Also write a private directory: table, chart, report.")
@json_option
def command(
    input: Path,
    promise: str,
    care: tuple[str, ...],
    seconds: float,
    seed: int,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
    **said: Any,
) -> int:
    """Try the methods that keep a promise on INPUT, within a budget of seconds, and recommend one.

    Every method that gives the promise and finds the side knowledge that it needs is run over a small grid of its other
    parameters.  Samples come first, to foresee what will not finish.  The answer is the front (what is best in some
    way), a recommendation, and the command that repeats it.  All of it is private.
    """
    from sfumato.experiments.advice.advising import advise
    from sfumato.experiments.reports.advice_page import write_advice
    from sfumato.io.outputs import require_fresh

    given = {name: value for name in promise_names() if (value := said.pop(name)) is not None}
    model = promise_of(promise, given)
    if out is not None:
        require_fresh(out)
    typed = dict(said)
    data = load(input, said)
    with runs_progress(not as_json) as tell:
        found = advise(data, model, care, seconds=seconds, seed=seed, jobs=jobs, tell=tell)
    repeat = shlex.join(found.command(str(input), _typed(found, typed, data.kind)))
    no_chart = "" if out is None else write_advice(found, out, command=repeat, about=input.name)
    if as_json:
        print_json({"input": str(input), **found.to_json(), "command": repeat or None})
    else:
        _say(found, repeat)
        if no_chart:
            say(f"No chart: {no_chart}.")
        if out is not None:
            say(f"{out} is private: it holds figures about the original.")
    return 0 if found.recommended is not None else 1


def _typed(found: Advice, typed: dict[str, Any], kind: str) -> list[str]:
    """The options that say how to read the input, as far as the recommended method takes them."""
    if found.recommended is None:
        return []
    method = found.recommended.candidate.method
    sides = sides_of((*method.needs, *method.takes), kind)
    words = []
    for name in ("columns", "person", "kind", *sides):
        value = typed.get(name)
        if value is not None and value is not False:
            words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return words


def _say(found: Advice, repeat: str) -> None:
    from sfumato.experiments.reports.advice_page import advice_head, advice_rows

    rows = advice_rows(found)
    if rows:
        promise = ", ".join(f"{name}={value}" for name, value in found.promise.to_json().items())
        table(f"{found.promise.title} ({promise}):", advice_head(found.cared), rows)
    for sentence in found.unfinished:
        say(f"not compared: {sentence}")
    for sentence in found.lacking:
        say(f"not tried: {sentence}")
    say()
    for sentence in found.sentences:
        say(sentence)
    if repeat:
        say(f"\n    {repeat}\n")
    for sentence in found.notes:
        say(f"- {sentence}")
