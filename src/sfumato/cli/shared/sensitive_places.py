"""The part of an audit that is about sensitive places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.cli.shared.render import say, table

if TYPE_CHECKING:
    from sfumato.io.published.directory import Published

__all__ = ["guess_sensitive_places", "show_guesses"]

_FEWEST = 4


def guess_sensitive_places(data: Any, release: Published | None, known: int, seed: int | None) -> Any:
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

    return GuessSensitivePlaces(known=max(_FEWEST, known)).run(data, seed=seed, c=_promised(release))


def _promised(release: Published | None) -> float | None:
    """The c that a certificate claims."""
    models = () if release is None else release.models
    return next((float(model.c) for model in models if model.name == "c-safety"), None)


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
