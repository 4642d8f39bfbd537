"""A promise and an attack: what was promised, and what the attack achieved."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.params import JsonObject
from sfumato.privacy import PrivacyModel

__all__ = ["Weighed", "unmeasured"]


@dataclass(frozen=True)
class Weighed:
    """A promise and an attack within its assumptions.

    beaten : whether the attack achieved more than was promised; None where it could not be measured.
    """

    model: str
    promise: str
    attack: str
    promised: str
    measured: str
    beaten: bool | None
    note: str = ""

    @property
    def verdict(self) -> str:
        return {True: "DOES NOT HOLD", False: "held", None: "not measured"}[self.beaten]

    def to_json(self) -> JsonObject:
        return {
            "model": self.model,
            "promise": self.promise,
            "attack": self.attack,
            "promised": self.promised,
            "measured": self.measured,
            "beaten": self.beaten,
            "note": self.note,
        }


def unmeasured(model: PrivacyModel, why: str) -> Weighed:
    """A promise that no attack could be held against, and why."""
    return Weighed(model.name, str(model), "", "", "", None, why)
