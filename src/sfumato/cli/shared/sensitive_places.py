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
        (str(row.known), f"{row.mean:.3g}", f"{row.worst:.3g}", promised, f"{row.attackers:,}") for row in findings.rows
    ]
    table("guesses of a sensitive place", ("known", "correct, mean", "correct, worst", "promised", "attackers"), rows)
    for sentence in findings.rules:
        say(f"- {sentence}")
