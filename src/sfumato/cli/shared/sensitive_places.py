"""The part of an audit that simulates attackers who guess sensitive places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.shared.render import say, table

if TYPE_CHECKING:
    from sfumato.attacks import GuessFindings

__all__ = ["show_guesses"]


def show_guesses(findings: GuessFindings) -> None:
    say()
    say(findings.summary)
    say()
    promised = "" if findings.c is None else f"{findings.c:g}"
    rows = [
        (
            str(row.known),
            f"{row.own_mean:.3g}",
            f"{row.own_worst:.3g}",
            f"{row.mean:.3g}",
            f"{row.worst:.3g}",
            promised,
            f"{row.attackers:,}",
        )
        for row in findings.rows
    ]
    head = ("known", "own, mean", "own, worst", "most probable, mean", "most probable, worst", "promised", "attackers")
    table("probability of a sensitive place: the person's own, and the most probable one", head, rows)
    for sentence in findings.rules:
        say(f"- {sentence}")
