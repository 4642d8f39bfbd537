"""`sfumato audit`: what an attacker who knows a little could do to a dataset as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import ATTACKS
from sfumato.cli.shared.attack_release import attack_file, attack_release
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

if TYPE_CHECKING:
    from sfumato.api.data_audit import Audited, DataAudit
    from sfumato.attacks import Findings, OwnerFindings

__all__ = ["command"]


class _Audit(click.Command):
    """Takes the declared parameters of the audit; they are looked up when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from sfumato.attacks import Audit

        declared = [option for option in declared_options(Audit, "audit") if option.name != "ordered"]
        own = super().get_params(ctx)
        return [own[0], *declared, *own[1:]]


@with_options(input_options())
@click.command("audit", cls=_Audit)
@click.argument("input", type=click.Path(path_type=Path))
@click.option("--unordered", is_flag=True, help="The attacker knows places, but not in which order they were visited.")
@seed_option
@click.option(
    "--out", type=click.Path(path_type=Path), help="Also write a .html page, a .png, .svg or .pdf picture, or a .csv."
)
@click.option(
    "--per-person",
    type=click.Path(path_type=Path),
    help="Also write everybody's own risk to a .csv or .parquet file, which names them and is private.",
)
@click.option("--collude", multiple=True, help="Owners of places who pool what they see, as A,B; may be given again.")
@click.option("--original", type=click.Path(path_type=Path), help="The private file behind a published directory.")
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A published directory made from INPUT, to attack; a second one for composition.",
)
@click.option(
    "--attack",
    multiple=True,
    help=f"An attack to try, of {', '.join(ATTACKS)}; may be given again [default: all that fit].",
)
@click.option(
    "--report", type=click.Path(path_type=Path), help="The private report of the release, which tells who is who."
)
@json_option
def command(
    input: Path,
    known: int,
    budget: int,
    unordered: bool,
    seed: int | None,
    out: Path | None,
    per_person: Path | None,
    collude: tuple[str, ...],
    original: Path | None,
    against: tuple[Path, ...],
    attack: tuple[str, ...],
    report: Path | None,
    as_json: bool,
    **said: Any,
) -> int | None:
    """Show what somebody could do to INPUT who knows a few visits or items of a person.

    INPUT is a file or a published directory, audited as it is.  For 1 to 4 known pieces: how many are alone, and how
    likely they are picked out, given their worst pieces and random ones; for --known pieces also who hides in what
    crowd.  Exact unless that exceeds --budget; otherwise from a sample, with 95% intervals.

    Where places have owners, also what each owner could conclude from the visits it sees; with --original, whom it
    could place by elimination.

    In a published directory of chunks: which items are never published without another one.

    Where a taxonomy says which places are sensitive, also how well 10,000 simulated attackers guess one.

    With --against, INPUT is a private file and DIR a release of it: every attack that fits is tried, and each promise
    set beside what attackers inside its assumptions achieved.  Exits with 1 if one of them beats it.
    """
    from sfumato.api.data_audit import audit_data
    from sfumato.attacks import Audit, OwnerAudit
    from sfumato.experiments.reports.audit_page import write_audit
    from sfumato.io.frames import write_frame

    audit = Audit(known=known, ordered=not unordered, budget=budget)
    if against or attack or report is not None:
        _refuse_others(against, report, out, per_person, collude, original)
        given = {"known": known, "ordered": not unordered}
        if against:
            return attack_release(input, against, attack, report, seed, given, as_json, said)
        attack_file(input, attack, seed, given, as_json, said)
        return None
    owners = OwnerAudit(collude=";".join(collude) or None) if collude else None
    _require_writable([input, original, *side_paths(said)], out, per_person)
    audited = _load(input, said, release_only=original is not None)
    private = None
    if audited.data.kind == "chunks":
        _refuse_files_of_chunks(out, per_person)
    elif original is not None:
        private = _load_original(original, input, audited.data.kind, said)
    with progress(not as_json) as advance:
        found = audit_data(audited, audit, owners=owners, original=private, seed=seed, progress=advance)
    if out is not None and found.findings is not None:
        write_audit(found.findings, out, title=input.name, owners=found.owners)
    elif out is not None:
        write_frame(found.to_polars(), out)
    if per_person is not None:
        write_frame(found.people, per_person)
    if as_json:
        print_json({"input": str(input), **found.to_json()})
        return None
    if found.covers is not None:
        _show_covers(found, input)
    if found.findings is not None:
        _show(found.findings, input, found.notes)
    if found.owners is not None:
        _show_owners(found.owners)
    if found.sensitive_places is not None:
        show_guesses(found.sensitive_places)
    if out is not None:
        say(f"Written to {out}.")
    if per_person is not None:
        say(f"{per_person} is private: it says who can be picked out.")
    return None


def _refuse_others(
    against: tuple[Path, ...],
    report: Path | None,
    out: Path | None,
    per_person: Path | None,
    collude: tuple[str, ...],
    original: Path | None,
) -> None:
    """What goes with an audit of data as they are, and not with attacks."""
    if report is not None and not against:
        raise click.UsageError("--report belongs to a release: say which (--against DIR)")
    others = {"--out": out, "--per-person": per_person, "--collude": collude, "--original": original}
    for option, value in others.items():
        if value:
            what = "--against" if against else "--attack"
            raise click.UsageError(f"{option} goes with an audit of data as they are; leave it or {what} out")


def _require_writable(inputs: list[Path | None], out: Path | None, per_person: Path | None) -> None:
    from sfumato.errors import OutputError
    from sfumato.experiments.reports.audit_page import require_audit_file
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_outputs

    if out is not None:
        require_audit_file(out)
    if per_person is not None and suffix_of(per_person) not in (".csv", ".parquet"):
        raise OutputError(f"{per_person}: --per-person wants a file that ends in .csv or .parquet")
    require_outputs([("audit", out), ("file of risks", per_person)], inputs=inputs)


def _load(input: Path, said: dict[str, Any], *, release_only: bool) -> Audited:
    """The data, and what to bear in mind about where they come from."""
    from dataclasses import replace

    from sfumato.api.data_audit import Audited, audited_directory
    from sfumato.data import Trajectories
    from sfumato.io import read_places
    from sfumato.io.published import directory as published

    if not (input / published.CERTIFICATE).is_file():
        if release_only:
            raise click.UsageError(f"--original goes with a published directory, and {input} is none")
        return Audited(load(input, said, fits=("trajectories", "roads", "transactions")))
    audited = audited_directory(input)
    data = audited.data
    if release_only and data.kind == "roads":
        raise click.UsageError(f"--original is for trajectories, and {input} holds roads")
    if said.get("places") is not None and isinstance(data, Trajectories) and data.places is None:
        return replace(audited, data=replace(data, places=read_places(said["places"])))
    return audited


def _load_original(original: Path, input: Path, kind: str, said: dict[str, Any]) -> Any:
    if kind != "trajectories":
        raise click.UsageError(f"--original is for trajectories, and {input} holds {kind}")
    return load(original, said, kind=kind)


def _show_owners(found: OwnerFindings) -> None:
    from sfumato.experiments.reports.owners_section import owner_head, owner_rows

    say()
    say(found.summary)
    say()
    table("owners of places", owner_head(found), owner_rows(found))
    for sentence in (*found.rules, *found.notes):
        say(f"- {sentence}")


def _refuse_files_of_chunks(out: Path | None, per_person: Path | None) -> None:
    """Nobody has a crowd in chunks; what one item gives away is found in the chunks themselves."""
    from sfumato.errors import OutputError
    from sfumato.io.files import suffix_of

    if per_person is not None:
        raise OutputError(f"{per_person}: chunks say nothing about single persons; leave --per-person out")
    if out is not None and suffix_of(out) != ".csv":
        raise OutputError(f"{out}: what one item gives away in chunks is written to a file that ends in .csv")


def _show_covers(found: DataAudit, input: Path) -> None:
    head = ("cluster", "chunk", "item", "support", "covered by", "covers")
    rows = [tuple(map(str, row)) for row in found.to_polars().sort("support", "item").head(10).iter_rows()]
    if rows:
        table(f"{input}: items that give others away", head, rows)
    for sentence in found.sentences:
        say(f"- {sentence}")


def _show(found: Findings, input: Path, notes: tuple[str, ...]) -> None:
    from sfumato.experiments.reports.audit_chart import summary
    from sfumato.experiments.reports.audit_page import HEAD, known_rows

    say(summary(found))
    say()
    table(str(input), HEAD, known_rows(found))
    known = found.audit.known
    crowds = [(crowd, value) for of, crowd, *_, value, _, _, _ in found.crowds.iter_rows() if of == known]
    looked_at = len(found.of(known))
    title = f"{found.who} by their smallest crowd, {known} known"
    if looked_at < len(found.pieces):
        title += f" (of the {looked_at:,} looked at)"
    while crowds and crowds[-1][1] == 0:
        crowds.pop()
    bars(title, [(crowd, round(value * looked_at)) for crowd, value in crowds])
    say()
    for sentence in (*found.rules, *notes, *found.notes):
        say(f"- {sentence}")
