"""`sfumato audit`: the re-identification risks of a dataset, or attacks on a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import ATTACKS
from sfumato.cli.engine_options import engine_options, take_engine
from sfumato.cli.on_spark.auditing import audit_on_spark
from sfumato.cli.shared.attack_release import attack_file, attack_release
from sfumato.cli.shared.completion import complete_names
from sfumato.cli.shared.options import (
    declared_options,
    input_options,
    json_option,
    load,
    seed_option,
    side_paths,
    with_options,
)
from sfumato.cli.shared.render import bars, print_json, progress, say, table
from sfumato.cli.shared.sensitive_places import show_guesses
from sfumato.cli.shared.table_audit import (
    load_file,
    load_population,
    refuse_persons_of_chunks,
    refuse_table_options,
    refuse_visit_options,
    show_chunks,
    show_table_risks,
    with_named_roles,
)
from sfumato.errors import FileError

if TYPE_CHECKING:
    from sfumato.api.data_audit import Audited, DataAudit
    from sfumato.attacks import Findings, OwnerFindings

__all__ = ["command"]


_WITH_KB = ("knowledge", "precision_s", "offset_h", "fastest_kmh")
"""The parameters of an attacker with a knowledge base that are options."""


class _Audit(click.Command):
    """Takes the declared parameters of the audit; they are looked up when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from sfumato.attacks import Audit, Enrichment, TableAudit

        declared = [option for option in declared_options(Audit, "audit") if option.name != "ordered"]
        declared += declared_options(TableAudit, "audit")
        declared += [option for option in declared_options(Enrichment, "audit") if option.name in _WITH_KB]
        own = super().get_params(ctx)
        return [own[0], *declared, *own[1:]]


@with_options([*input_options(), *engine_options()])
@click.command("audit", cls=_Audit)
@click.argument("input", type=click.Path(path_type=Path))
@click.option("--unordered", is_flag=True, help="The attacker knows the visited places, but not their order.")
@seed_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Also write a .html page, a picture (.png, .svg, .pdf, .jpg, .bmp), or a .csv.",
)
@click.option(
    "--per-person",
    type=click.Path(path_type=Path),
    help="Also write the risk of each person to a .csv or .parquet file; it names the persons and is private.",
)
@click.option(
    "--population",
    type=click.Path(path_type=Path),
    help="A table of the population that a table INPUT is a sample of, with the same quasi-identifiers.",
)
@click.option(
    "--collude", multiple=True, help="Owners of places who combine what they observe, as A,B; may be repeated."
)
@click.option("--original", type=click.Path(path_type=Path), help="The original of the published directory INPUT.")
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A published directory to attack, with INPUT as its original; give two for composition.",
)
@click.option(
    "--attack",
    multiple=True,
    shell_complete=complete_names(ATTACKS),
    help=f"An attack to try: {', '.join(ATTACKS.built_in)}, or module:Class; may be repeated [default: all that fit].",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    help="The private report of the release; it contains the correspondence of records.",
)
@click.option(
    "--kb", type=click.Path(path_type=Path), help="A knowledge base with facts about places, which the attacker has."
)
@json_option
def command(
    input: Path,
    known: int,
    budget: int,
    threshold: float,
    inference: float,
    largest_set: int,
    population_size: int | None,
    unordered: bool,
    seed: int | None,
    out: Path | None,
    per_person: Path | None,
    population: Path | None,
    collude: tuple[str, ...],
    original: Path | None,
    against: tuple[Path, ...],
    attack: tuple[str, ...],
    report: Path | None,
    kb: Path | None,
    knowledge: str,
    precision_s: float,
    offset_h: float,
    fastest_kmh: float,
    as_json: bool,
    **options: Any,
) -> int | None:
    """Measure re-identification risks, or attack a release.

    The attacker knows a few visits or items of a person.  INPUT is a file or a published directory; it is audited
    unchanged.  For 1 to 4 known visits or items, the audit shows the share of persons who are unique, and the
    probability that a person is singled out, for the worst choice of known visits and for a random choice.  For
    --known visits it also shows the sizes of the anonymity sets.  Figures are exact unless that exceeds --budget;
    otherwise they are estimated from a sample, with 95% intervals.

    If places have owners, the audit shows what each owner can infer from the visits it observes; with --original,
    also what it can infer by elimination.

    For a table, or with --items for mixed records, name the columns that an attacker may know
    (--quasi-identifiers). The audit then shows prosecutor, journalist and marketer risk, the sizes of equivalence
    classes, the column sets that single out most records, and with --sensitive what can be inferred. Journalist and
    marketer risk need --population or --population-size; otherwise the data are taken as the population.

    For a published directory of chunks, the audit lists the items that never appear without another item, and counts
    the subrecords that known items match.

    If a taxonomy marks sensitive places, the audit shows how well 10,000 simulated attackers guess one.

    With --against DIR, INPUT is the original and DIR a release of it.  Every attack that fits is tried, and each
    promise is compared with what attackers with the assumed background knowledge achieve.  The exit code is 1 if a
    promise does not hold.

    With --kb DIR, an attacker with this knowledge base infers places behind generalized labels from opening hours,
    events, popularity and categories.  INPUT may then be a published directory without its original.
    """
    from sfumato.api.data_audit import audit_data
    from sfumato.attacks import Audit, OwnerAudit, TableAudit
    from sfumato.io.frames import write_frame

    audit = Audit(known=known, ordered=not unordered, budget=budget)
    table_audit = TableAudit(
        threshold=threshold, inference=inference, largest_set=largest_set, population_size=population_size
    )
    if kb is None:
        _refuse_without_kb()
    spark = take_engine(options)
    if spark is not None:
        others: dict[str, Any] = {
            "seed": seed,
            "per_person": per_person,
            "population": population,
            "collude": collude,
            "kb": kb,
        }
        others |= {"original": original, "against": against, "attack": attack, "report": report}
        _require_writable([input, *side_paths(options)], out, None)
        _print(audit_on_spark(spark, input, audit, table_audit, options | others), input, out, as_json)
        return None
    if against or attack or report is not None or kb is not None:
        _refuse_others(against, report, out, per_person, collude, original)
        refuse_table_options("attacks on a release" if against else "attacks")
        given: dict[str, Any] = {"known": known, "ordered": not unordered}
        if kb is not None:
            given |= dict(zip(_WITH_KB, (knowledge, precision_s, offset_h, fastest_kmh), strict=True))
        if against:
            return attack_release(input, against, attack, report, seed, given, as_json, options, out=out, kb=kb)
        attack_file(input, attack or ("enrichment",), seed, given, as_json, options, kb=kb)
        return None
    owners = OwnerAudit(collude=";".join(collude) or None) if collude else None
    _require_writable([input, original, population, *side_paths(options)], out, per_person)
    person = options.get("person")
    audited = _load(input, options, release_only=original is not None)
    kind = audited.data.kind
    private = None
    if kind == "chunks":
        refuse_persons_of_chunks(per_person)
    elif original is not None:
        private = _load_original(original, input, kind, options)
    if kind not in ("table", "mixed"):
        refuse_table_options(kind, ("threshold",) if kind == "chunks" else ())
    else:
        refuse_visit_options(kind)
    people = None if population is None else load_population(population, input, person)
    with progress(not as_json) as advance:
        result = audit_data(
            audited,
            audit,
            table=table_audit,
            population=people,
            owners=owners,
            original=private,
            seed=seed,
            progress=advance,
        )
    if per_person is not None:
        write_frame(result.people, per_person)
    _print(result, input, out, as_json)
    if per_person is not None and not as_json:
        say(f"{per_person} is private: it names persons who can be singled out.")
    return None


def _print(result: DataAudit, input: Path, out: Path | None, as_json: bool) -> None:
    if out is not None:
        result.write(out, title=input.name)
    if as_json:
        print_json({"input": str(input), **result.to_json()})
        return
    _show_result(result, input)
    if out is not None:
        say(f"Written to {out}.")


def _show_result(result: DataAudit, input: Path) -> None:
    if result.chunks is not None:
        show_chunks(result)
    if result.table is not None:
        show_table_risks(result, input)
    if result.findings is not None:
        _show(result.findings, input, result.notes)
    if result.owners is not None:
        _show_owners(result.owners)
    if result.sensitive_places is not None:
        show_guesses(result.sensitive_places)


def _refuse_without_kb() -> None:
    """Refuse the options of an attacker with a knowledge base where none is given."""
    context = click.get_current_context()
    for name in _WITH_KB:
        if context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} needs a knowledge base; name its directory (--kb DIR)")


def _refuse_others(
    against: tuple[Path, ...],
    report: Path | None,
    out: Path | None,
    per_person: Path | None,
    collude: tuple[str, ...],
    original: Path | None,
) -> None:
    """Refuse the options that apply to an audit only, and not to attacks."""
    if report is not None and not against:
        raise click.UsageError("--report needs a release; name its directory (--against DIR)")
    others = {"--per-person": per_person, "--collude": collude, "--original": original}
    if not against:
        others["--out"] = out
    for option, value in others.items():
        if value:
            what = "--against" if against else "--attack"
            raise click.UsageError(f"{option} cannot be used together with {what}; leave one of them out")


def _require_writable(inputs: list[Path | None], out: Path | None, per_person: Path | None) -> None:
    from sfumato.errors import OutputError
    from sfumato.experiments.reports.audit_page import require_audit_file
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_outputs

    if out is not None:
        require_audit_file(out)
    if per_person is not None and suffix_of(per_person) not in (".csv", ".parquet"):
        raise OutputError(f"{per_person}: --per-person: wanted a file that ends in .csv or .parquet")
    require_outputs([("audit", out), ("file of risks", per_person)], inputs=inputs)


def _load(input: Path, options: dict[str, Any], *, release_only: bool) -> Audited:
    """The data, notes about their source, and whether trajectories were split."""
    from dataclasses import replace

    from sfumato.api.data_audit import Audited, audited_directory
    from sfumato.data import Trajectories
    from sfumato.io import read_places
    from sfumato.io.published import directory as published

    if not (input / published.CERTIFICATE).is_file():
        if release_only:
            raise click.UsageError(f"--original needs a published directory as INPUT, and {input} is not one")
        if not input.exists() or input.is_dir():
            problem = "wanted a file or a published directory, found a directory without a certificate"
            raise FileError(input, problem if input.is_dir() else "no such file")
        return Audited(load_file(input, options))
    audited = audited_directory(input)
    data = audited.data
    if release_only and data.kind == "roads":
        raise click.UsageError(f"--original needs trajectories, and {input} holds roads")
    if options.get("places") is not None and isinstance(data, Trajectories) and data.places is None:
        return replace(audited, data=replace(data, places=read_places(options["places"])))
    return replace(audited, data=with_named_roles(data, options))


def _load_original(original: Path, input: Path, kind: str, options: dict[str, Any]) -> Any:
    if kind != "trajectories":
        raise click.UsageError(f"--original needs trajectories, and {input} holds {kind}")
    return load(original, options, kind=kind)


def _show_owners(findings: OwnerFindings) -> None:
    from sfumato.experiments.reports.owners_section import owner_head, owner_rows

    say()
    say(findings.summary)
    say()
    table("owners of places", owner_head(findings), owner_rows(findings))
    for sentence in (*findings.rules, *findings.notes):
        say(f"- {sentence}")


def _show(findings: Findings, input: Path, notes: tuple[str, ...]) -> None:
    from sfumato.experiments.reports.audit_chart import summary
    from sfumato.experiments.reports.audit_page import HEAD, known_rows

    say(summary(findings))
    say()
    table(str(input), HEAD, known_rows(findings))
    known = findings.audit.known
    shares = [(size, value) for of, size, *_, value, _, _, _ in findings.anonymity_sets.iter_rows() if of == known]
    examined = findings.examined(known)
    title = f"{findings.who} by the size of their smallest anonymity set, {known} known"
    if examined < findings.n_units:
        title += f" (in a sample of {examined:,})"
    while shares and shares[-1][1] == 0:
        shares.pop()
    bars(title, [(size, round(value * examined)) for size, value in shares])
    say()
    for sentence in (*findings.rules, *notes, *findings.notes):
        say(f"- {sentence}")
