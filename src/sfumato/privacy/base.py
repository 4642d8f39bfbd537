"""Privacy models (what is promised) and verdicts (whether a promise holds)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sfumato.data import Dataset
from sfumato.errors import DataError, either
from sfumato.params import Declared, JsonObject, Parameter
from sfumato.privacy.not_covered import Limit

if TYPE_CHECKING:
    from sfumato.privacy.noise.budget import PrivacyBudget

__all__ = ["CheckedFrom", "PrivacyModel", "Verdict", "with_promises"]

Holds = bool | Literal["not checkable"]
CheckedFrom = Literal["files", "original", "ledger"]


@dataclass(frozen=True)
class Verdict:
    """The result of checking a promise.

    holds : True, False or "not checkable".
    checked_from : what the check needs: "files" (anyone can repeat it), "original" or "ledger" (the privacy budget).
    measured : figures, such as the smallest support.
    witnesses : a few violations, in published labels.
    """

    holds: Holds
    checked_from: CheckedFrom
    measured: JsonObject = field(default_factory=dict)
    witnesses: tuple[JsonObject, ...] = ()
    reason: str = ""

    def to_json(self) -> JsonObject:
        fields = {
            "holds": self.holds,
            "checked_from": self.checked_from,
            "measured": self.measured,
            "witnesses": list(self.witnesses),
        }
        return {**fields, "reason": self.reason} if self.reason else fields

    def to_published_json(self) -> JsonObject:
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
    context: ClassVar[tuple[str, ...]] = ()  # what the verifier needs besides the data
    needs_original: ClassVar[bool] = False
    persons_from_original: ClassVar[bool] = True  # whether an original shows the persons behind published records
    exact_counts: ClassVar[bool] = True  # whether the certificate may say how many records were lost
    anonymity_sets: ClassVar[bool] = False  # whether every background knowledge leads to an anonymity set of at least k
    bounds_inference: ClassVar[bool] = False  # whether a sensitive item is inferred with a probability of at most 1/l
    seeded: ClassVar[Limit | None] = None  # the limit of a release whose noise comes from a seed
    by_record: ClassVar[Limit] = Limit(
        "persons-unknown",
        "several records of one person: persons are not known here, so support counts records, and k records may all "
        "belong to one person",
        rank=2,
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not all(isinstance(limit, Limit) for limit in getattr(cls, "not_covered", ())):
            raise TypeError(f"{cls.__name__}: not_covered wants limits, as Limit(key, sentence)")

    @property
    def label(self) -> str:
        """The promise in the terms of the field.

        >>> from sfumato.privacy import KmAnonymity
        >>> KmAnonymity(k=5, m=2).label
        'k^m-anonymity(k=5, m=2)'
        """
        return f"{self.title}({', '.join(f'{name}={value}' for name, value in self.to_json().items())})"

    @abstractmethod
    def check(self, published: Any, original: Any = None) -> Verdict:
        """Check the promise exactly.

        Support counts persons where `published` (inside a run) or `original` knows them; a release never
        carries its persons.
        """

    def check_run(self, published: Any, original: Any, budget: PrivacyBudget) -> Verdict:  # noqa: ARG002
        """Check the promise at the end of a run, which has a privacy budget that records its noise."""
        return self.check(published, original)

    def implies(self, other: PrivacyModel) -> bool:
        """Whether data that keep this promise keep the other one too, by the declared direction of each parameter.

        >>> from sfumato.privacy import KmAnonymity
        >>> KmAnonymity(k=10, m=2).implies(KmAnonymity(k=5, m=2)), KmAnonymity(k=10, m=1).implies(KmAnonymity(k=5, m=2))
        (True, False)
        """
        return type(self) is type(other) and all(
            _at_least_as_strong(parameter, getattr(self, parameter.name), getattr(other, parameter.name))
            for parameter in self.parameters()
        )

    def beyond(self, published: Any) -> JsonObject:  # noqa: ARG002
        """What an attacker can do with one more known visit or item than the promise allows, by the published data.

        Empty where the promise does not count visits or items; "not measured" where that costs more than the check.
        """
        return {}

    def weigh(self, setting: Any, *, seed: int | None = None, progress: Any = None) -> Iterable[Any]:  # noqa: ARG002
        """For an audit: the promise beside attacks inside its assumptions, each as a `sfumato.attacks.PromiseResult`.

        Models of other packages may implement it; for those of this package the audit itself knows the attacks.
        """
        return ()

    def _require_kind(self, data: Dataset) -> None:
        if data.kind not in self.kinds:
            raise DataError(f"{self.name}: wanted {either(self.kinds)}, got {data.kind}")


def with_promises(guarantees: tuple[PrivacyModel, ...], promises: Iterable[PrivacyModel]) -> tuple[PrivacyModel, ...]:
    """The guarantees and, in a fixed order, the promises that none of them implies.

    >>> from sfumato.privacy import KAnonymity, LDiversity
    >>> with_promises((KAnonymity(k=5),), [LDiversity(l=3), KAnonymity(k=4)])
    (KAnonymity(k=5), LDiversity(l=3, variant='distinct'))
    """
    more = [promise for promise in dict.fromkeys(promises) if not any(model.implies(promise) for model in guarantees)]
    weaker = {promise for promise in more if any(other is not promise and other.implies(promise) for other in more)}
    return (
        *guarantees,
        *sorted((promise for promise in more if promise not in weaker), key=lambda promise: promise.label),
    )


def _at_least_as_strong(parameter: Parameter, mine: Any, other: Any) -> bool:
    if mine == other:
        return True
    if parameter.stronger is None or mine is None or other is None:
        return False
    return bool(mine > other if parameter.stronger == "higher" else mine < other)
