"""`sfumato audit`: what an attacker who knows a little could do to a dataset as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli._options import declared_options, input_options, json_option, load, seed_option, with_options
from sfumato.cli._render import bars, print_json, progress, say, table

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
@json_option
def command(
    input: Path,
    known: int,
    budget: int,
    unordered: bool,
    seed: int | None,
    out: Path | None,
    per_person: Path | None,
    as_json: bool,
    **said: Any,
) -> None:
    """Show what somebody could do to INPUT who knows a few visits or items of a person.

    INPUT is a file or a published directory, audited as it is.  For 1 to 4 known pieces: how many are alone, and how
    likely they are picked out, given their worst pieces and random ones; for --known pieces also who hides in what
    crowd.  Exact unless that exceeds --budget; otherwise from a sample, with 95% intervals.
    """
    from sfumato.attacks import Audit
    from sfumato.experiments.audit_page import write_audit
    from sfumato.io.frames import write_frame

    audit = Audit(known=known, ordered=not unordered, budget=budget)
    _require_writable(input, out, per_person)
    data, notes = _load(input, said)
    with progress(not as_json) as advance:
        found = audit.run(data, seed=seed, progress=advance)
    if out is not None:
        write_audit(found, out, title=input.name)
    if per_person is not None:
        write_frame(found.people, per_person)
    if as_json:
        facts = found.to_json()
        print_json({"input": str(input), **facts, "notes": [*notes, *facts["notes"]]})
        return
    _show(found, input, notes)
    if out is not None:
        say(f"Written to {out}.")
    if per_person is not None:
        say(f"{per_person} is private: it says who can be picked out.")


def _require_writable(input: Path, out: Path | None, per_person: Path | None) -> None:
    from sfumato.errors import OutputError
    from sfumato.experiments.audit_page import require_audit_file
    from sfumato.io.files import require_parent, suffix_of

    taken = {input.resolve()}
    for path in (out, per_person):
        if path is not None and path.resolve() in taken:
            raise OutputError(f"{path}: is the input or another output; choose another name")
        taken |= set() if path is None else {path.resolve()}
    if out is not None:
        require_audit_file(out)
    if per_person is not None:
        if suffix_of(per_person) not in (".csv", ".parquet"):
            raise OutputError(f"{per_person}: --per-person wants a file that ends in .csv or .parquet")
        require_parent(per_person)


def _load(input: Path, said: dict[str, Any]) -> tuple[Any, list[str]]:
    """The data, and what to bear in mind about where they come from."""
    from sfumato.errors import FileError
    from sfumato.io import published

    if not (input / published.CERTIFICATE).is_file():
        return load(input, said), []
    found = published.read(input)
    if found.data is None:
        raise FileError(input, found.problems[-1])
    notes = [f"{problem}." for problem in found.problems]
    if found.certificate["unit"] == "person":
        notes.append("The certificate counts persons, and the files do not say who they are: audit the original, too.")
    return found.data, notes


def _show(found: Any, input: Path, notes: list[str]) -> None:
    from sfumato.experiments.audit_chart import summary
    from sfumato.experiments.audit_page import HEAD, known_rows

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
