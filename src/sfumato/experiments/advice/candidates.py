"""Which methods, with which parameters, keep a promise on some data: what an advisor has to try.

A parameter that the promise speaks of takes the promise's value; any other takes the values of its declared grid, or
its default, or, where it must be given, the weakest that is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.data import Dataset
from sfumato.errors import CallerError, DataError, MissingKnowledge, ParameterError
from sfumato.methods import Method
from sfumato.params import Parameter, Value
from sfumato.privacy import PrivacyModel
from sfumato.remedies import keep_remedy

__all__ = ["Candidate", "Candidates", "candidates_for"]


@dataclass(frozen=True)
class Candidate:
    """A method with all its parameters; `tuned` are those that the advisor chose."""

    method: Method[Dataset]
    tuned: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        """The method and what tells it from its other candidates, such as ``lra, parts=2``."""
        return ", ".join([self.method.name, *(f"{name}={_plain(value)}" for name, value in self.tuned.items())])

    @property
    def usual(self) -> bool:
        """Whether every parameter that `advise` tunes has its default."""
        defaults = {one.name: one.default for one in self.method.parameters()}
        return all(defaults[name] == value for name, value in self.tuned.items())

    @property
    def options(self) -> dict[str, str]:
        """The parameters that are required or differ from their default, in words that `Parameter.parse` reads."""
        values = self.method.to_json()
        return {
            one.name: _exact(values[one.name])
            for one in self.method.parameters()
            if values[one.name] is not None and (one.required or getattr(self.method, one.name) != one.default)
            if not (issubclass(one.type, Value) and not isinstance(values[one.name], str))
        }


@dataclass(frozen=True)
class Candidates:
    """The candidates for a promise, and sentences about the methods whose side knowledge is missing."""

    found: tuple[Candidate, ...]
    lacking: tuple[str, ...]


def candidates_for(promise: PrivacyModel, data: Dataset, also: Iterable[str] = ()) -> Candidates:
    """Every method for such data that keeps the promise, over the grid of its other parameters.

    also : methods to try beside the installed ones, as `module:Class`.

    >>> from sfumato import Taxonomy, Transactions
    >>> from sfumato.privacy import KmAnonymity
    >>> tree = Taxonomy({"all": None, "ale": "all", "tea": "all"})
    >>> baskets = Transactions.from_lists([["ale"], ["tea"]], taxonomy=tree)
    >>> [one.name for one in candidates_for(KmAnonymity(k=2, m=1), baskets).found][:3]
    ['apriori', 'lra, parts=2', 'lra, parts=4']
    """
    found: list[Candidate] = []
    lacking: list[str] = []
    for declared in dict.fromkeys([*map(method_class, METHODS), *map(METHODS.choose, also)]):
        if declared.kind != data.kind:
            continue
        keeping = [one for one in _grid(declared, promise) if _keeps(one.method, promise)]
        if not keeping:
            continue
        try:
            keeping[0].method._require(data)
        except MissingKnowledge as refusal:
            lacking.append(keep_remedy(str(refusal), refusal))
        else:
            found += keeping
    if not found and not lacking:
        raise _no_method(promise, data)
    return Candidates(tuple(found), tuple(lacking))


def _keeps(method: Method[Dataset], promise: PrivacyModel) -> bool:
    return any(guarantee.implies(promise) for guarantee in method.guarantees)


def _grid(declared: type[Method[Dataset]], promise: PrivacyModel) -> Iterator[Candidate]:
    """All combinations; those that the method itself refuses are left out."""
    asked = {one.name: one for one in promise.parameters()}
    choices: dict[str, tuple[Any, ...]] = {}
    tuned: set[str] = set()
    for parameter in declared.parameters():
        own = asked.get(parameter.name)
        wanted = None if own is None else getattr(promise, parameter.name)
        if own is not None and not (parameter.grid and wanted == own.default):
            choices[parameter.name] = (_allowed(declared.__name__, parameter, wanted),)
        elif parameter.grid:
            choices[parameter.name] = parameter.grid
            tuned.add(parameter.name)
        elif parameter.required:
            choices[parameter.name] = (_weakest(parameter),)
    for values in product(*choices.values()):
        chosen = dict(zip(choices, values, strict=True))
        try:
            method = declared.from_json(chosen)
        except ParameterError:
            continue
        yield Candidate(method, {name: value for name, value in chosen.items() if name in tuned})


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


def _no_method(promise: PrivacyModel, data: Dataset) -> CallerError:
    """The error that names the promises which methods keep on such data."""
    declared = [method for name in METHODS if (method := method_class(name)).kind == data.kind]
    kept = {name for method in declared for name in method.promises}
    for name in MODELS:
        model = model_class(name)
        if data.kind in model.kinds and name not in kept and (probe := _least(model)) is not None:
            kept |= {name} & {one.name for one in _guarantees(declared, probe)}
    unlike = ""
    for one in _guarantees(declared, promise):  # the same promise in another variant
        if type(one) is type(promise):
            named = [own.name for own in promise.parameters() if getattr(one, own.name) != getattr(promise, own.name)]
            unlike, other = (
                " with " + " and ".join(f"{name}={_plain(getattr(of, name))}" for name in named)
                for of in (promise, one)
            )
            kept = kept - {promise.name} | {promise.name + other}
            break
    return DataError(
        f"advise: no method keeps {promise.name}{unlike} on {data.kind}; promises that methods keep there: "
        f"{', '.join(sorted(kept)) or 'none'}"
    )


def _guarantees(declared: list[type[Method[Dataset]]], promise: PrivacyModel) -> Iterator[PrivacyModel]:
    """The guarantees of the methods with the parameters of a promise."""
    for method in declared:
        for candidate in _grid(method, promise):
            yield from candidate.method.guarantees


def _least(model: type[PrivacyModel]) -> PrivacyModel | None:
    """The weakest promise of a model that is not empty (as l=1 is); None if the model refuses it."""
    try:
        weakest = {one.name: _weakest(one) for one in model.parameters() if one.required}
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
