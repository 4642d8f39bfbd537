"""What a promise is, and what a verifier says about it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sfumato.data import Dataset
from sfumato.errors import DataError, either
from sfumato.params import Declared, Parameter
from sfumato.privacy.not_covered import Limit

if TYPE_CHECKING:
    from sfumato.privacy.noise.budget import Ledger

__all__ = ["CheckedFrom", "PrivacyModel", "Verdict"]

Holds = bool | Literal["not checkable"]
CheckedFrom = Literal["files", "original", "ledger"]


@dataclass(frozen=True)
class Verdict:
    """What a verifier found.

    holds : True, False or "not checkable".
    checked_from : what had to be looked at: "files" (anybody can repeat it), "original" or "ledger".
    measured : figures, such as the smallest support.
    witnesses : a few violations, in published labels.
    """

    holds: Holds
    checked_from: CheckedFrom
    measured: dict[str, Any] = field(default_factory=dict)
    witnesses: tuple[dict[str, Any], ...] = ()
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        said = {
            "holds": self.holds,
            "checked_from": self.checked_from,
            "measured": self.measured,
            "witnesses": list(self.witnesses),
        }
        return {**said, "reason": self.reason} if self.reason else said

    def to_published_json(self) -> dict[str, Any]:
        """What a certificate may say.

        Figures that took the original to compute are private (soundness rule 2): only whether the promise
        holds is published of them.
        """
        if self.checked_from == "files":
            return self.to_json()
        return {"holds": self.holds, "checked_from": self.checked_from, "measured": {}, "witnesses": []}


@dataclass(frozen=True, kw_only=True)
class PrivacyModel(Declared):
    """A promise with its parameters.  A model is one file with an exact verifier."""

    name: ClassVar[str]
    title: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]
    not_covered: ClassVar[tuple[Limit, ...]]
    context: ClassVar[tuple[str, ...]] = ()  # what the verifier needs beside the data
    needs_original: ClassVar[bool] = False
    told_by_original: ClassVar[bool] = True  # whether an original can tell who is behind a published record
    exact_counts: ClassVar[bool] = True  # whether the certificate may say how many records were lost
    crowds: ClassVar[bool] = False  # whether at least k published records or persons fit whatever is known
    seeded: ClassVar[Limit | None] = None  # what a release that was made from a seed does not cover
    by_record: ClassVar[Limit] = Limit(
        "persons-unknown",
        "several records of one person: persons are not known here, so support counts records, and k records of "
        "one person hide nobody",
    )

    @abstractmethod
    def check(self, published: Any, original: Any = None) -> Verdict:
        """Check the promise exactly.

        Support counts persons where `published` (inside a run) or `original` knows them; a release never
        carries its persons.
        """

    def check_run(self, published: Any, original: Any, ledger: Ledger) -> Verdict:  # noqa: ARG002
        """Check the promise at the end of a run, which has a ledger of the noise that it drew."""
        return self.check(published, original)

    def implies(self, other: PrivacyModel) -> bool:
        """Whether whatever keeps this promise keeps the other one too, by the declared direction of each parameter.

        >>> from sfumato.privacy import KmAnonymity
        >>> KmAnonymity(k=10, m=2).implies(KmAnonymity(k=5, m=2)), KmAnonymity(k=10, m=1).implies(KmAnonymity(k=5, m=2))
        (True, False)
        """
        return type(self) is type(other) and all(
            _at_least_as_strong(parameter, getattr(self, parameter.name), getattr(other, parameter.name))
            for parameter in self.parameters()
        )

    def beyond(self, published: Any) -> dict[str, Any]:  # noqa: ARG002
        """What somebody could do who knows one piece more than the promise allows, by the published data alone.

        Nothing where the promise does not count pieces; "not measured" where that costs more than the check.
        """
        return {}

    def _require_kind(self, data: Dataset) -> None:
        if data.kind not in self.kinds:
            raise DataError(f"{self.name}: wanted {either(self.kinds)}, got {data.kind}")


def _at_least_as_strong(parameter: Parameter, mine: Any, other: Any) -> bool:
    if mine == other:
        return True
    if parameter.stronger is None or mine is None or other is None:
        return False
    return bool(mine > other if parameter.stronger == "higher" else mine < other)
