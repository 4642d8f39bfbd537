"""The part of an audit that is about sensitive places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.shared.render import say, table

if TYPE_CHECKING:
    from sfumato.attacks import GuessFindings

__all__ = ["show_guesses"]


def show_guesses(found: GuessFindings) -> None:
    say()
    say(found.summary)
    say()
    promised = "" if found.c is None else f"{found.c:g}"
    rows = [
        (str(row.known), f"{row.mean:.3g}", f"{row.worst:.3g}", promised, f"{row.attackers:,}") for row in found.rows
    ]
    table("guesses of a sensitive place", ("known", "right, mean", "right, worst", "promised", "attackers"), rows)
    for sentence in found.rules:
        say(f"- {sentence}")
