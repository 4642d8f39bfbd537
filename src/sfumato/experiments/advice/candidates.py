"""Which methods, with which parameters, keep a promise on some data: what an advisor has to try.

A parameter that a promise speaks of takes the promise's value, of several promises the strongest; any other takes the
values of its declared grid, or its default, or, where it must be given, the weakest that is allowed.

A method is a candidate if its guarantees imply one of the promises.  The others are verified on its release.  Each
candidate is also tried on prepared data, as far as a preparation makes sense.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, cast

from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.data import Dataset, Trajectories, Transactions, original_kind
from sfumato.errors import CallerError, DataError, MissingKnowledge, ParameterError, either
from sfumato.experiments.advice.other_promises import other_promise
from sfumato.experiments.advice.preparations import TriedPreparation
from sfumato.methods import Method, Release
from sfumato.methods.preparation_texts import step_words
from sfumato.params import Parameter, Value
from sfumato.prepare.base import Preparation, prepared_visits
from sfumato.prepare.policies import every_set
from sfumato.privacy import KmAnonymity, PrivacyModel
from sfumato.remedies import keep_remedy

__all__ = ["Candidate", "Candidates", "candidates_for"]


@dataclass(frozen=True)
class Candidate:
    """A method with all its parameters; `tuned` are those that the advisor chose.

    policy_size : the m of the privacy policy of all sets of up to m items that the advisor adds to the data; or 0.
    verified : the promises that no guarantee of the method implies; they are verified on each release.
    preparation : the steps that are applied to the data before the method runs.
    instead : the promise that it keeps in place of the one that was asked for; see `other_promises`.
    """

    method: Method[Dataset]
    tuned: dict[str, Any] = field(default_factory=dict, hash=False)
    policy_size: int = 0
    verified: tuple[PrivacyModel, ...] = ()
    preparation: tuple[Preparation, ...] = ()
    instead: PrivacyModel | None = None

    def fitted(self, data: Dataset) -> Dataset:
        """The data with the policy that the method needs."""
        if self.policy_size and isinstance(data, Transactions):
            return data.with_policies(every_set(self.policy_size), data.utility_policy)
        return data

    def anonymize(self, data: Dataset, *, seed: int | None = None) -> Release[Dataset]:
        """The release of this candidate on prepared data, with all promises checked."""
        prepared = data
        if self.preparation:
            prepared = prepared_visits(cast("Trajectories", data), *self.preparation).data
        return self.method.anonymize(self.fitted(prepared), seed=seed, promises=self.verified)

    @property
    def name(self) -> str:
        """The method and what tells it from its other candidates, such as ``lra, parts=2``."""
        method = ", ".join([self.method.name, *(f"{name}={_plain(value)}" for name, value in self.tuned.items())])
        return f"{method} on {self.prepared_data}" if self.preparation else method

    @property
    def prepared_data(self) -> str:
        """The data that the method runs on, in words, such as ``a grid of 20 x 20 cells``."""
        return ", ".join(step_words(step) for step in self.preparation)

    @property
    def usual(self) -> bool:
        """Whether every parameter that `advise` tunes has its default."""
        defaults = {parameter.name: parameter.default for parameter in self.method.parameters()}
        return all(defaults[name] == value for name, value in self.tuned.items())

    @property
    def options(self) -> dict[str, str]:
        """The parameters that are required or differ from their default, in words that `Parameter.parse` reads."""
        values = self.method.to_json()
        policy = {"privacy_policy": f"all:{self.policy_size}"} if self.policy_size else {}
        return policy | {
            parameter.name: _exact(values[parameter.name])
            for parameter in self.method.parameters()
            if values[parameter.name] is not None
            and (parameter.required or getattr(self.method, parameter.name) != parameter.default)
            if not (issubclass(parameter.type, Value) and not isinstance(values[parameter.name], str))
        }


@dataclass(frozen=True)
class Candidates:
    """The candidates for a promise, and sentences about the methods whose side knowledge is missing."""

    found: tuple[Candidate, ...]
    lacking: tuple[str, ...]


def candidates_for(
    promises: PrivacyModel | Sequence[PrivacyModel],
    data: Dataset,
    also: Iterable[str] = (),
    preparations: Sequence[TriedPreparation] = (),
) -> Candidates:
    """Every method for such data that keeps one of the promises, over the grid of its other parameters.

    For sets of items, methods that keep another promise against the same attacker follow; see `other_promises`.
    also : methods to try beside the installed ones, as `module:Class`.
    preparations : what to try every method on, beside the data as they are.

    >>> from sfumato import Taxonomy
    >>> from sfumato.privacy import KmAnonymity
    >>> tree = Taxonomy({"all": None, "ale": "all", "tea": "all"})
    >>> baskets = Transactions.from_lists([["ale"], ["tea"]], taxonomy=tree)
    >>> [one.name for one in candidates_for(KmAnonymity(k=2, m=1), baskets).found][:3]
    ['apriori', 'lra, parts=2', 'lra, parts=4']
    """
    wanted = (promises,) if isinstance(promises, PrivacyModel) else tuple(promises)
    _require_kinds(wanted, data)
    keeping = _candidates(wanted, data, also, preparations)
    if not keeping.found and not keeping.lacking:
        raise _no_method(wanted, data)
    other = other_promise(wanted, data)
    if other is None:
        return keeping
    more = _candidates((other,), data, also)
    beside = (replace(candidate, instead=other) for candidate in more.found)
    return Candidates((*keeping.found, *beside), tuple(dict.fromkeys((*keeping.lacking, *more.lacking))))


def _candidates(
    wanted: tuple[PrivacyModel, ...],
    data: Dataset,
    also: Iterable[str],
    preparations: Sequence[TriedPreparation] = (),
) -> Candidates:
    """Every method that keeps one of the promises, over its grid, on the data as they are and prepared."""
    candidates: list[Candidate] = []
    lacking: list[str] = []
    for declared in dict.fromkeys([*map(method_class, METHODS), *map(METHODS.choose, also)]):
        if declared.kind != data.kind:
            continue
        keeping = _all_keeping(declared, wanted, data)
        if not keeping:
            lacking += [_other_policy(declared, wanted)] if _needs_other_policy(declared, wanted, data) else []
            continue
        if "privacy_policy" in declared.needs and getattr(data, "utility_policy", None) is None:
            keeping = [candidate for candidate in keeping if candidate.usual]  # any items are merged, none suppressed
        for candidate in keeping:
            try:
                candidate.method._require(candidate.fitted(data))
            except MissingKnowledge as refusal:
                lacking.append(keep_remedy(str(refusal), refusal))
            else:
                candidates.append(candidate)
        for tried in preparations:
            candidates += _prepared(declared, wanted, tried)
    return Candidates(tuple(candidates), tuple(dict.fromkeys(lacking)))


def _prepared(
    declared: type[Method[Dataset]], promises: tuple[PrivacyModel, ...], tried: TriedPreparation
) -> list[Candidate]:
    """The candidates of a method on prepared data; none where these lack side knowledge that the method needs."""
    found = []
    for candidate in _all_keeping(declared, promises, tried.data):
        with suppress(MissingKnowledge):
            candidate.method._require(tried.data)
            found.append(replace(candidate, preparation=tried.steps))
    return found


def _require_kinds(promises: tuple[PrivacyModel, ...], data: Dataset) -> None:
    """Refuse a combination with a promise that releases of such data cannot be checked for."""
    for promise in promises if len(promises) > 1 else ():
        if data.kind not in {original_kind(kind) for kind in promise.kinds}:
            raise DataError(f"advise: {promise.name} fits {either(promise.kinds)}, and these are {data.kind}")


def _all_keeping(declared: type[Method[Dataset]], promises: tuple[PrivacyModel, ...], data: Dataset) -> list[Candidate]:
    """The method with all combinations of its parameters that keep one of the promises."""
    found = (_keeping(candidate, promises, data) for candidate in _grid(declared, promises))
    return [candidate for candidate in found if candidate is not None]


def _keeping(candidate: Candidate, promises: tuple[PrivacyModel, ...], data: Dataset) -> Candidate | None:
    """The candidate with the promises that are left to verify; None where its guarantees imply none of them."""
    method = candidate.method
    if "privacy_policy" in method.needs and isinstance(data, Transactions) and data.privacy_policy is None:
        candidate = replace(candidate, policy_size=_known_items(promises))
    guarantees = method.guarantees_on(candidate.fitted(data))
    verified = tuple(promise for promise in promises if not any(guarantee.implies(promise) for guarantee in guarantees))
    return None if len(verified) == len(promises) else replace(candidate, verified=verified)


def _known_items(promises: tuple[PrivacyModel, ...]) -> int:
    """The largest m of the promises of k^m-anonymity; 0 without such a promise."""
    return max((promise.m for promise in promises if isinstance(promise, KmAnonymity)), default=0)


def _needs_other_policy(declared: type[Method[Dataset]], promises: tuple[PrivacyModel, ...], data: Dataset) -> bool:
    """Whether a method would keep k^m-anonymity if these data did not carry another privacy policy."""
    has_policy = isinstance(data, Transactions) and data.privacy_policy is not None
    return "privacy_policy" in declared.needs and has_policy and _known_items(promises) > 0


def _other_policy(declared: type[Method[Dataset]], promises: tuple[PrivacyModel, ...]) -> str:
    return (
        f"{declared.name}: keeps k^m-anonymity under a privacy policy of all sets of up to {_known_items(promises)} "
        "items, and these data carry another policy; leave it out"
    )


def _grid(declared: type[Method[Dataset]], promises: tuple[PrivacyModel, ...]) -> Iterator[Candidate]:
    """All combinations; those that the method itself refuses are left out."""
    choices: dict[str, tuple[Any, ...]] = {}
    tuned: set[str] = set()
    for parameter in declared.parameters():
        asked = [(promise, own) for promise in promises for own in promise.parameters() if own.name == parameter.name]
        values = [getattr(promise, own.name) for promise, own in asked]
        is_open = parameter.grid and all(value == own.default for value, (_, own) in zip(values, asked, strict=True))
        if asked and not is_open:
            choices[parameter.name] = (_allowed(declared.__name__, parameter, _strongest(values, asked[0][1])),)
        elif parameter.grid:
            choices[parameter.name] = parameter.grid
            tuned.add(parameter.name)
        elif parameter.required:
            choices[parameter.name] = (_weakest(parameter),)
    for combination in product(*choices.values()):
        chosen = dict(zip(choices, combination, strict=True))
        try:
            method = declared.from_json(chosen)
        except ParameterError:
            continue
        yield Candidate(method, {name: value for name, value in chosen.items() if name in tuned})


def _strongest(values: list[Any], parameter: Parameter) -> Any:
    """The value that keeps most, of those that several promises give to a parameter; the first where none does."""
    numbers = [value for value in values if value is not None]
    if parameter.stronger is None or not numbers:
        return values[0]
    return max(numbers) if parameter.stronger == "higher" else min(numbers)


def _allowed(owner: str, parameter: Parameter, value: Any) -> Any:
    """The value of the promise, or the weakest value of the method, if the method requires more."""
    try:
        return parameter.check(owner, value)
    except ParameterError:
        return _weakest(parameter)


def _weakest(parameter: Parameter) -> Any:
    """The end of the range from which a parameter starts."""
    for bound in (parameter.at_least, parameter.at_most, parameter.above, parameter.below):
        if bound is not None:
            return bound
    return None if parameter.choices is None else parameter.choices[0]


def _no_method(promises: tuple[PrivacyModel, ...], data: Dataset) -> CallerError:
    """The error that names the promises which methods keep on such data."""
    declared = [method for name in METHODS if (method := method_class(name)).kind == data.kind]
    kept = {name for method in declared for name in method.promises}
    for name in MODELS:
        model = model_class(name)
        if data.kind in model.kinds and name not in kept and (probe := _least(model)) is not None:
            kept |= {name} & {guarantee.name for guarantee in _guarantees(declared, (probe,))}
    promise, unlike = promises[0], ""
    for guarantee in _guarantees(declared, promises):  # the same promise in another variant
        if type(guarantee) is type(promise):
            named = [
                own.name for own in promise.parameters() if getattr(guarantee, own.name) != getattr(promise, own.name)
            ]
            unlike, other = (
                " with " + " and ".join(f"{name}={_plain(getattr(of, name))}" for name in named)
                for of in (promise, guarantee)
            )
            kept = kept - {promise.name} | {promise.name + other}
            break
    names = " or ".join([promise.name + unlike, *(guarantee.name for guarantee in promises[1:])])
    return DataError(
        f"advise: no method keeps {names} on {data.kind}; promises that methods keep there: "
        f"{', '.join(sorted(kept)) or 'none'}"
    )


def _guarantees(declared: list[type[Method[Dataset]]], promises: tuple[PrivacyModel, ...]) -> Iterator[PrivacyModel]:
    """The guarantees of the methods with the parameters of the promises."""
    for method in declared:
        for candidate in _grid(method, promises):
            yield from candidate.method.guarantees


def _least(model: type[PrivacyModel]) -> PrivacyModel | None:
    """The weakest promise of a model that is not empty (as l=1 is); None if the model refuses it."""
    try:
        weakest = {parameter.name: _weakest(parameter) for parameter in model.parameters() if parameter.required}
        return model.from_json({name: 2 if value == 1 else value for name, value in weakest.items()})
    except ParameterError:
        return None


def _exact(value: Any) -> str:
    """A value as the command line reads it back, to the last digit."""
    return repr(value) if isinstance(value, float) else _plain(value)


def _plain(value: Any) -> str:
    """A value for people to read."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
