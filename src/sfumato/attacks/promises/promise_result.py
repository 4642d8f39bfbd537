"""A promise and an attack: what was promised, and what the attack achieved."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.params import JsonObject
from sfumato.privacy import PrivacyModel

__all__ = ["PromiseResult", "unmeasured"]


@dataclass(frozen=True)
class PromiseResult:
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

    @classmethod
    def of(
        cls, model: PrivacyModel, attack: str, promised: str, measured: str, beaten: bool | None, note: str = ""
    ) -> PromiseResult:
        """The result of an attack on a promise."""
        return cls(model.name, model.label, attack, promised, measured, beaten, note)

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


def unmeasured(model: PrivacyModel, why: str) -> PromiseResult:
    """A promise that no attack could be held against, and why."""
    return PromiseResult.of(model, "", "", "", None, why)
