"""`sfumato evaluate ORIGINAL DIR`: the utility of a release, measured from its files and the original."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.engine_options import engine_options, take_engine
from sfumato.cli.on_spark.evaluating import evaluate_on_spark
from sfumato.cli.shared.completion import complete_measures
from sfumato.cli.shared.flags import with_flags
from sfumato.cli.shared.measures import MEASURE_HELP, read_measure
from sfumato.cli.shared.options import input_options, json_option, load, side_paths, with_options
from sfumato.cli.shared.original_input import as_told_by
from sfumato.cli.shared.render import print_json, say, table
from sfumato.errors import CallerError, DataError

if TYPE_CHECKING:
    from sfumato.experiments.evaluation import Evaluation
    from sfumato.io.published.directory import Published

__all__ = ["command"]

_SHOWN = 5  # rows of a table; the file under --out has all


@with_options([*input_options(), *engine_options()])
@click.command("evaluate")
@click.argument("original", type=click.Path(path_type=Path))
@click.argument("release", type=click.Path(path_type=Path))
@click.option(
    "--measure",
    multiple=True,
    shell_complete=complete_measures,
    help=f"A measure, {MEASURE_HELP} [default: all that fit].",
)
@click.option(
    "--estimate",
    type=click.Choice(["share", "subsets"]),
    default="share",
    show_default=True,
    help="How generalized items are counted: by their share of a label, or as non-empty subsets of it.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Also write a .html page, a picture (.png, .svg, .pdf, .jpg, .bmp), or a .csv.",
)
@json_option
def command(
    original: Path,
    release: Path,
    measure: tuple[str, ...],
    estimate: str,
    out: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure the utility of a release, given its original.

    RELEASE is a published directory, and ORIGINAL the private file that it was made from.  Prints every measure
    that can be computed from the files, with its meaning and direction, the generalized values, and the relative
    difference of the count of every place, item or value.  Measures that need the run itself are named; `sfumato
    anonymize --measure` computes those.  The figures are private: do not publish them.
    """
    from sfumato.experiments.evaluation import evaluate
    from sfumato.experiments.reports.board.roles import with_claimed_roles
    from sfumato.experiments.reports.evaluation_page import require_evaluation_file, write_evaluation
    from sfumato.io.outputs import require_output
    from sfumato.io.published import directory as published

    measures = [read_measure(text, estimate=estimate) for text in measure]
    spark = take_engine(options)
    if spark is not None:
        _print(evaluate_on_spark(spark, original, release, measures, options | {"out": out}), as_json)
        return
    if out is not None:
        require_evaluation_file(out)
        require_output(out, "evaluation", inputs=[original, *side_paths(options)])
    published_release = published.read(release)
    data = _load(original, published_release, options)
    if options.get("quasi_identifiers") is None:
        data = with_claimed_roles(data, published_release.data, ("quasi-identifiers",))
    evaluation = evaluate(data, published_release, measures, estimate)
    if out is not None:
        write_evaluation(evaluation, out, title=f"Utility of {release.name}, compared with {original.name}")
    _print(evaluation, as_json)
    if out is not None and not as_json:
        say(f"{out} is private: it holds figures about the original.")


def _print(evaluation: Evaluation, as_json: bool) -> None:
    if as_json:
        print_json(evaluation.to_json())
    else:
        _show(evaluation)


def _load(original: Path, release: Published, options: dict[str, Any]) -> Any:
    """The original as the release's kind of data; a file of another kind is refused as such."""
    wanted = release.certificate.original_kind
    known = as_told_by(release, options)
    other = options.get("kind")
    if other is None:
        try:
            return load(original, dict(known), kind=wanted)
        except DataError as refusal:
            try:
                other = load(original, dict(options)).kind
            except CallerError:
                other = wanted
            if other in (wanted, "table"):  # a file with columns of other names looks like a table
                raise refusal from None
    if other != wanted:
        raise DataError(f"{release.folder}: wanted an original with {wanted}, found {other} in {original}")
    return load(original, known, kind=wanted)


def _show(evaluation: Evaluation) -> None:
    from sfumato.experiments.definition.experiment import pretty

    for problem in evaluation.problems:
        say(f"✗ {problem}")
    named = zip(evaluation.measure_names, evaluation.scores, strict=True)
    rows = [(name, str(score), measure.better, measure.meaning) for name, (measure, score) in named]
    if rows:
        table("", ("measure", "value", "better", "meaning"), rows)
    attributes = [
        (name, values, pretty(mean), pretty(largest), labels, widest)
        for name, values, mean, largest, labels, widest in evaluation.attributes.iter_rows()
    ]
    if attributes:
        head = ("attribute", "values", "mean difference", "largest difference", "generalized labels", "largest label")
        table("relative differences of the counts of single values:", head, attributes)
    if len(evaluation.labels):
        shown = list(evaluation.labels.head(_SHOWN).iter_rows())
        more = f", {len(shown)} of {len(evaluation.labels):,}" if len(evaluation.labels) > len(shown) else ""
        table(f"generalized values{more}:", ("attribute", "label", "records", "members"), shown)
    worst = evaluation.differences.sort("relative_difference", descending=True, maintain_order=True).head(_SHOWN)
    rows = [(a, v if v is not None else "(missing)", *map(pretty, rest)) for a, v, *rest in worst.iter_rows()]
    if rows:
        title = f"largest relative differences, {len(rows)} of {len(evaluation.differences):,}:"
        table(title, ("attribute", "value", "original", "published", "relative difference"), rows)
    for sentence in evaluation.unmeasured.values():
        say(f"not measured: {with_flags(sentence)}")
