"""The part of an audit that is about sensitive places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sfumato.cli.shared.render import say, table

__all__ = ["guess_sensitive_places", "show_guesses"]

_FEWEST = 4


def guess_sensitive_places(data: Any, input: Path, known: int, seed: int | None) -> Any:
    """What simulated attackers make of the data; nothing where no taxonomy says what is sensitive."""
    taxonomy = getattr(data, "taxonomy", None)
    if (
        data.kind != "trajectories"
        or not taxonomy
        or not taxonomy.sensitive
        or any(n not in taxonomy for n in data.names)
    ):
        return None
    from sfumato.attacks.sensitive_places import GuessSensitivePlaces

    return GuessSensitivePlaces(known=max(_FEWEST, known)).run(data, seed=seed, c=_promised(input))


def _promised(input: Path) -> float | None:
    """The c that a certificate claims."""
    from sfumato.io.published import directory as published

    if not (input / published.CERTIFICATE).is_file():
        return None
    for guarantee in published.read(input).certificate["guarantees"]:
        if guarantee.get("model") == "c-safety":
            c = guarantee.get("parameters", {}).get("c")
            return float(c) if isinstance(c, int | float) else None
    return None


def show_guesses(found: Any) -> None:
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
