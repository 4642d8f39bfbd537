"""`sfumato kb check`: the data of a knowledge base checked against the definitions."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say, table
from sfumato.errors import OutputError, counted

__all__ = ["command"]


@click.command("check")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="A private .csv file for everything that breaks a rule.")
@json_option
def command(directory: Path, out: Path | None, as_json: bool) -> int:
    """Check the knowledge base DIRECTORY: positions in order, segments inside their parents, complete annotations.

    Exits with 1 if a rule does not hold.  What linked data often lack, such as the geometry of a place, is a warning.
    """
    from sfumato.io.atomic_writes import write_text
    from sfumato.io.outputs import require_output, require_private
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
    from sfumato.semantics.ontology.data_checks import check_data, data_checks

    if out is not None:
        if out.suffix.lower() != ".csv":
            raise OutputError(f"{out}: wanted a file that ends in .csv, found {out.suffix or 'no ending'!r}")
        require_output(out, "list", inputs=[directory])
        require_private(out, "list")
    with KnowledgeBase.open(directory) as base:
        broken = check_data(base)
    if out is not None:
        write_text(broken.write_csv(), out)
    counts = broken.group_by("check", "severity", "sentence").len("count").sort("severity", "check").rows(named=True)
    violations = sum(row["count"] for row in counts if row["severity"] == "violation")
    warnings = broken.height - violations
    if as_json:
        facts = {"checks": len(data_checks()), "violations": violations, "warnings": warnings, "broken": counts}
        print_json({"out": str(out) if out else None, **facts})
        return 1 if violations else 0
    if counts:
        rows = [(row["check"], row["severity"], row["count"], row["sentence"]) for row in counts]
        table("", ("rule", "severity", "broken by", "what the rule wants"), rows)
    say(f"{'✗' if violations else '✓'} {len(data_checks())} rules: {_sum(violations, warnings)}")
    if out is not None:
        say(f"{counted(broken.height, 'row')} in {out}, which is private")
    return 1 if violations else 0


def _sum(violations: int, warnings: int) -> str:
    wrong = counted(violations, "violation") if violations else "no violation"
    return f"{wrong}, {counted(warnings, 'warning')}" if warnings else wrong
