"""`sfumato evaluate ORIGINAL DIR`: what a release has kept, as far as files tell."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from sfumato.catalogue import MEASURES, measure_class
from sfumato.cli._options import input_options, json_option, load, with_options
from sfumato.cli._render import print_json, say, table
from sfumato.errors import CallerError, FileError

__all__ = ["command"]


@dataclass(frozen=True)
class _Files:
    """A release of which only the files are at hand."""

    data: Any
    k: int | None
    origin: None = None


@with_options(input_options())
@click.command("evaluate")
@click.argument("original", type=click.Path(path_type=Path))
@click.argument("release", type=click.Path(path_type=Path))
@click.option("--measure", multiple=True, help="A measure; may be given several times [default: all that fit].")
@json_option
def command(original: Path, release: Path, measure: tuple[str, ...], as_json: bool, **said: Any) -> None:
    """Measure what the published directory RELEASE has kept of the private file ORIGINAL.

    The figures are about the private data: do not publish them.  Measures that need the run itself are named;
    `sfumato anonymize --measure` computes those.
    """
    from sfumato.data import ORIGINAL_KIND
    from sfumato.io import published

    found = published.read(release)
    if found.data is None:
        raise FileError(release, found.problems[0])
    kind = found.certificate["kind"]
    private = load(original, said, kind=ORIGINAL_KIND.get(kind, kind))
    chosen = [measure_class(name)() for name in measure] or [
        one for one in (measure_class(name)() for name in MEASURES) if private.kind in one.kinds
    ]
    scores, unmeasured = {}, {}
    for one in chosen:
        try:
            scores[one.name] = one(private, _Files(found.data, _promised_k(found.certificate)))
        except CallerError as refusal:
            if measure and not one.needs_origin:
                raise
            unmeasured[one.name] = str(refusal)
    if as_json:
        print_json({"measures": {name: score.value for name, score in scores.items()}, "unmeasured": unmeasured})
        return
    rows = [(one.name, str(scores[one.name]), one.better, one.meaning) for one in chosen if one.name in scores]
    if rows:
        table("", ("measure", "value", "better", "meaning"), rows)
    for sentence in unmeasured.values():
        say(f"not measured: {sentence}")


def _promised_k(certificate: dict[str, Any]) -> int | None:
    """The k that the certificate claims, where it claims one."""
    parameters = certificate["parameters"]
    k = parameters.get("k") if isinstance(parameters, dict) else None
    return k if isinstance(k, int) and k >= 1 else None
