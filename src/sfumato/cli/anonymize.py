"""`sfumato anonymize METHOD INPUT --out DIR`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import METHODS
from sfumato.cli.engine_options import engine_options, load_on_spark, load_rows_on_spark, take_engine
from sfumato.cli.shared.alternatives import TypedRun, loss_lines, losses_to_json
from sfumato.cli.shared.completion import complete_measures
from sfumato.cli.shared.escapes import escaped_line
from sfumato.cli.shared.flags import with_flags
from sfumato.cli.shared.help_lines import WholeLines
from sfumato.cli.shared.measures import MEASURE_HELP, read_measure
from sfumato.cli.shared.options import declared_options, input_options, load, side_paths, sides_of
from sfumato.cli.shared.render import GLOSSARY, limit_lines, mark_of, print_json, progress, say, verdict_lines
from sfumato.errors import MissingKnowledge, ParameterError

if TYPE_CHECKING:
    from sfumato.utility.base import Measure

__all__ = ["command"]

_PLACES = {"trajectories": ("places",)}  # the side knowledge of a map, by kind of data


class _Methods(WholeLines):
    """One subcommand per method; its options come from its declared parameters."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(METHODS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        try:
            return _command_of(name)
        except ParameterError as error:
            ctx.fail(str(error))


@click.command("anonymize", cls=_Methods, options_metavar="", subcommand_metavar="METHOD INPUT [OPTIONS]")
def command() -> None:
    """Anonymize INPUT, check the guarantee and write a release.

    METHOD is the name of an installed method, or module:Class for a method of your own.

    The directory --out is made to be published.  The file --report is private.
    """


def _command_of(name: str) -> click.Command:
    method = METHODS.choose(name)
    return click.Command(
        name,
        callback=lambda **options: _run(name, **options),
        help=f"{method.__doc__.partition(chr(10))[0]}\n\n{method.title}: {method.paper}.",
        short_help=f"{method.title}, for {method.kind}",
        params=[
            click.Argument(["input"], type=click.Path(path_type=Path)),
            *declared_options(method, method.name),
            click.Option(["--out"], type=click.Path(path_type=Path), required=True, help="The directory to publish."),
            click.Option(
                ["--format"],
                type=click.Choice(["csv", "parquet"]),
                default="csv",
                show_default=True,
                help="The format of the published data files; Parquet files are smaller and read faster.",
            ),
            click.Option(
                ["--report"], type=click.Path(path_type=Path), help="A private file for the figures of the run."
            ),
            click.Option(
                ["--ledger"],
                type=click.Path(path_type=Path),
                help="A private file that records the persons of each release; the release is attacked together with "
                "earlier releases of the same persons.",
            ),
            click.Option(
                ["--promise"],
                multiple=True,
                help="A further privacy model that the release must keep, such as l-diversity:l=3; it is checked, and "
                "nothing is written if it does not hold; may be given several times.",
            ),
            click.Option(
                ["--measure"],
                multiple=True,
                shell_complete=complete_measures,
                help=f"A measure of utility or information loss, {MEASURE_HELP}.",
            ),
            *_geometry_option(method.kind),
            *input_options(sides_of((*method.side_knowledge(), *_PLACES.get(method.kind, ())), method.kind)),
            click.Option(["--seed"], type=int, help="The same seed repeats a run exactly."),
            click.Option(
                ["--override"],
                is_flag=True,
                help="Write the release although the guarantee does not hold; the certificate records it.",
            ),
            *engine_options(),
            click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
        ],
    )


def _geometry_option(kind: str) -> list[click.Option]:
    """The option that publishes coordinates, for kinds of data that have places."""
    sentence = "Publish the coordinates of the places that labels stand for, in context/places.csv; needs --places."
    return [click.Option(["--publish-geometry", "geometry"], is_flag=True, help=sentence)] if kind in _PLACES else []


def _run(
    name: str,
    *,
    input: Path,
    out: Path,
    format: str,
    report: Path | None,
    ledger: Path | None,
    measure: tuple[str, ...],
    promise: tuple[str, ...],
    seed: int | None,
    override: bool,
    as_json: bool,
    geometry: bool = False,
    **options: Any,
) -> int:
    from sfumato.data import Dataset
    from sfumato.data.labels.label_geometry import require_public_geometry
    from sfumato.io.outputs import require_fresh, require_outputs
    from sfumato.methods import Method
    from sfumato.methods.near_keys import near_keys
    from sfumato.methods.promise_texts import promise_of_text
    from sfumato.privacy.not_covered import most_important
    from sfumato.utility.measuring import distinct_names, require_measures, take_measures

    declared = METHODS.choose(name)
    method: Method[Dataset] = declared.from_json({p.name: options.pop(p.name) for p in declared.parameters()})
    promises = [promise_of_text(text) for text in promise]
    spark = take_engine(options)
    if spark is not None:
        private = {"report": report, "ledger": ledger, "measure": measure, "publish_geometry": geometry}
        return _run_on_spark(spark, method, input, out, options | private, promises, seed, override, as_json)
    requested = [read_measure(text) for text in measure]
    measures = dict(zip(distinct_names(requested), requested, strict=True))
    require_measures(measures.values(), method)
    inputs = [input, *side_paths(options)]
    require_fresh(out)
    require_outputs([("report", report)], inputs=[*inputs, ledger], public=out)
    if ledger is not None:
        _require_ledger(ledger, inputs, out)
    run = TypedRun(input, dict(options), out, method.kind)
    with progress(not as_json) as advance:
        data = load(input, options, kind=method.kind)
        if geometry:
            require_public_geometry(data)
        _require_data(requested, method, data)
        release = method.anonymize(data, seed=seed, progress=advance, promises=promises)
        taken = take_measures(measures, data, release)
        if advance is not None:
            advance("looking for near-total loss, and trying what loses less", 0, 0)
        losses = release.heavy_losses
    warnings = near_keys(release.data.with_persons(release.persons))
    for sentence in warnings:
        click.echo(f"sfumato: warning: {sentence}", err=True)
    for sentence in loss_lines(losses, run):
        click.echo(f"sfumato: {escaped_line(sentence)}", err=True)
    written = None
    if release.holds or override:
        written = release.write(
            out,
            override=override,
            ledger=ledger,
            report=report,
            figures=taken.to_json(),
            geometry=geometry,
            format=format,
        )
    earlier = [] if written is None else [composition.to_json() for composition in written.earlier]
    kept = written is not None and not written.overridden
    for sentence in taken.failed.values():
        click.echo(f"sfumato: no figure: {with_flags(sentence)}", err=True)
    if as_json:
        certificate = release.certificate() if written is None else replace(written.certificate, files=None)
        facts: dict[str, Any] = {
            "out": None if written is None else str(written),
            "holds": kept,
            "certificate": certificate.to_json(),
        }
        if losses:
            facts["heavy_losses"] = losses_to_json(losses, run)
        print_json(facts if ledger is None else {**facts, "earlier": earlier})
        return 0 if kept else 1
    for model, verdict in release.verdicts:
        say("\n".join(verdict_lines(model, verdict)))
    if written is None:
        say("✗ nothing was written (--override writes the release anyway)")
        return 1
    exact = all(model.exact_counts for model in method.guarantees)
    records = f"of {len(data):,} records" if exact else "synthetic records"
    added = release.counts.get("added_records", 0)
    if exact and (added or release.counts.get("split_records", 0) or len(release.data) > len(data)):
        dummies = f" and {added:,} dummies" if added else ""
        records = (
            f"records, from {len(data) - release.counts.get('suppressed_records', 0):,} of {len(data):,}{dummies},"
        )
    say(f"{len(release.data):,} {records} published in {out}")
    for what, count in release.counts.items():
        say(f"    {what.replace('_', ' ')}: {count:,}")
    for sentence in release.notes:
        if sentence not in warnings:
            say(f"    {sentence}")
    for wanted, score in taken.scores.items():
        parameters = wanted.partition(":")[2]  # where a measure is taken several times
        title = measures[wanted].title + (f", {parameters}" if parameters else "")
        say(f"    {title}: {score} ({measures[wanted].better} is better)")
    for line in limit_lines(most_important(release.not_covered, len(release.not_covered)), out):
        say(line)
    say(GLOSSARY)
    for composition in earlier:
        say(f"{mark_of(composition)} {composition['sentence']}")
    return 0 if kept else 1


def _run_on_spark(
    started: dict[str, Any],
    method: Any,
    input: Path,
    out: Path,
    options: dict[str, Any],
    promises: list[Any],
    seed: int | None,
    override: bool,
    as_json: bool,
) -> int:
    from sfumato.io.outputs import require_fresh
    from sfumato.privacy.not_covered import most_important
    from sfumato.spark.anonymizing import anonymize

    require_fresh(out)
    records: Any = (
        load_rows_on_spark(started, input, options)
        if method.kind == "table"
        else load_on_spark(started, input, options, method.kind)
    )
    release = anonymize(method, records, seed=seed, promises=promises)
    written = release.write(out, override=override) if release.holds or override else None
    kept = written is not None and not written.override
    if as_json:
        facts = {} if written is None else replace(written, files=None).to_json()
        print_json({"out": None if written is None else str(out), "holds": kept, "certificate": facts or None})
        return 0 if kept else 1
    for model, verdict in release.verdicts:
        say("\n".join(verdict_lines(model, verdict)))
    if written is None:
        say("✗ nothing was written (--override writes the release anyway)")
        return 1
    say(f"{written.records['published']:,} records published in {out}")
    for what, count in release.counts.items():
        say(f"    {what.replace('_', ' ')}: {count:,}")
    for line in limit_lines(most_important(release.not_covered, len(release.not_covered)), out):
        say(line)
    say(GLOSSARY)
    return 0 if kept else 1


def _require_data(measures: list[Measure], method: Any, data: Any) -> None:
    """Refuse measures that these data cannot serve, before the method runs."""
    for measure in measures:
        try:
            measure.require_data(data)
        except MissingKnowledge as refusal:
            lacking = sorted(set(measure.needs) - set(method.side_knowledge()))
            if not lacking:
                raise
            raise MissingKnowledge(
                f"{measure.name}: needs {' and '.join(lacking)}, which {method.name} does not take; leave the measure "
                "out and give both to `sfumato evaluate` afterwards"
            ) from refusal


def _require_ledger(ledger: Path, inputs: list[Path], out: Path) -> None:
    """Refuse a file that cannot be a ledger before the method runs."""
    from sfumato.io.outputs import require_output
    from sfumato.io.published.ledger import ReleaseLedger

    require_output(ledger, "ledger", inputs=inputs, public=out, opened=True)
    if ledger.exists():
        with ReleaseLedger.reading(ledger):
            pass
