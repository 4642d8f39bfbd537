"""Why a release keeps next to nothing, and what to run instead on the same data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from sfumato.catalogue import METHODS
from sfumato.data import Dataset, Mixed, Policy, Trajectories, Transactions
from sfumato.data.base import Ints, Progress
from sfumato.errors import ParameterError
from sfumato.methods.alternative_trials import Trials
from sfumato.methods.base import Method
from sfumato.methods.causes import about_rows, cause_of, cause_of_column
from sfumato.params import JsonObject
from sfumato.utility.base import Released
from sfumato.utility.heavy_losses import HeavyLoss, heavy_losses

__all__ = ["Alternative", "explained_losses"]

_SHOWN = 2


@dataclass(frozen=True)
class Alternative:
    """A run on the same data that loses less.

    method, parameters : as in a certificate; parameters with their default value are left out.
    kind : the kind that the data are read as; movements can be read as sets of places.
    privacy_policy : the rule of the privacy policy that the run needs, such as ``all:2``, or an empty text.
    utility_policy : False if the run leaves out the utility policy.
    note : what is different, in words.
    tried : whether the run was tried on these data and avoids the loss; False if that would take too long.
    """

    method: str
    parameters: JsonObject
    kind: str
    note: str
    privacy_policy: str = ""
    utility_policy: bool = True
    tried: bool = False

    def to_json(self) -> JsonObject:
        return {
            "method": self.method,
            "parameters": self.parameters,
            "kind": self.kind,
            "privacy_policy": self.privacy_policy or None,
            "utility_policy": self.utility_policy,
            "note": self.note,
            "tried": self.tried,
        }

    def anonymize(self, data: Dataset, *, seed: int | None = None, progress: Progress | None = None) -> Any:
        """The release of this run on data of which another run kept next to nothing."""
        if self.kind == "transactions" and isinstance(data, Trajectories):
            data = _as_sets(data)
        if isinstance(data, Transactions | Mixed):
            privacy = Policy(size=int(self.privacy_policy.partition(":")[2])) if self.privacy_policy else None
            utility = data.utility_policy if self.utility_policy else None
            data = data.with_policies(privacy or data.privacy_policy, utility)
        method: Method[Dataset] = METHODS.choose(self.method).from_json(self.parameters)
        return method.anonymize(data, seed=seed, progress=progress)


def explained_losses(
    method: Method[Any], original: Dataset, release: Released[Dataset] | Dataset, *, alternatives: bool = True
) -> tuple[HeavyLoss, ...]:
    """The near-total losses of a release of this method, each with its cause and up to two alternatives.

    An alternative is tried on the data, where they are small enough, and left out if it does not avoid the loss.
    alternatives : False for the causes alone, which takes no trials.

    >>> from sfumato import SeqAnon
    >>> walks = Trajectories.from_lists(["ab", "cd", "ef"], places={name: (at, 0) for at, name in enumerate("abcdef")})
    >>> loss = explained_losses(SeqAnon(k=2, m=2), walks, SeqAnon(k=2, m=2).anonymize(walks))[0]
    >>> loss.cause
    '100 % of the places occur with fewer than 2 records; seqanon publishes a place under one label everywhere'
    >>> [(one.method, one.parameters) for one in loss.alternatives]
    [('seqanon', {'k': 2, 'm': 1})]
    """
    losses = heavy_losses(original, release)
    trials = Trials(original, losses)
    shared: dict[bool, str] = {}  # most columns of a table share their cause
    explained = []
    for loss in losses:
        cause = cause_of_column(loss, original)
        if not cause and about_rows(loss) not in shared:
            shared[about_rows(loss)] = cause_of(loss, method, original)
        offered = _likely(loss, method, original, trials) if alternatives else iter(())
        cause = cause or shared[about_rows(loss)]
        explained.append(replace(loss, cause=cause, alternatives=tuple(islice(offered, _SHOWN))))
    return tuple(explained)


def _likely(loss: HeavyLoss, method: Method[Any], data: Dataset, trials: Trials) -> Iterator[Alternative]:
    """The alternatives that avoid the loss, and those that cannot be tried and have another cause of the loss."""
    for alternative in _alternatives(loss, method, data):
        helps = trials.helps(alternative, loss)
        if helps or (helps is None and not cause_of_column(loss, data)):
            yield replace(alternative, tried=bool(helps))


@dataclass(frozen=True)
class _Case:
    """What an alternative is chosen by."""

    loss: HeavyLoss
    method: Method[Any]
    data: Dataset
    given: JsonObject = field(default_factory=dict)

    def other(self, name: str, note: str, **changes: Any) -> Iterator[Alternative]:
        """Another method, with the parameters that both have."""
        declared = METHODS.load(name)
        if not all(need in self.method.needs or getattr(self.data, need, None) for need in declared.needs):
            return
        known = {parameter.name for parameter in declared.parameters()}
        shared = {key: value for key, value in self.given.items() if key in known}
        yield from _allowed(Alternative(name, {**shared, **changes}, declared.kind, note))

    def same(self, note: str, **changes: Any) -> Iterator[Alternative]:
        """The same method with other parameters."""
        name = METHODS.name_of(type(self.method))
        if ":" in name:  # a class of the user's own
            return
        yield from _allowed(Alternative(name, {**self.given, **changes}, self.method.kind, note))


def _allowed(alternative: Alternative) -> Iterator[Alternative]:
    """The alternative, unless its method refuses the parameters."""
    try:
        METHODS.load(alternative.method).from_json(alternative.parameters)
    except ParameterError:
        return
    yield alternative


def _alternatives(loss: HeavyLoss, method: Method[Any], data: Dataset) -> Iterator[Alternative]:
    values = method.to_json()
    given = {
        parameter.name: values[parameter.name]
        for parameter in method.parameters()
        if parameter.required or _differs(method, parameter)
    }
    case = _Case(loss, method, data, given)
    promise = method.promises[0] if method.promises else ""
    for choose in _BY_PROMISE.get((promise, method.kind), _BY_PROMISE.get((promise, ""), ())):
        yield from choose(case)
    yield from _weaker(case, "k")


def _differs(method: Method[Any], parameter: Any) -> bool:
    return bool(getattr(method, parameter.name) != parameter.check(method.name, parameter.default))


def _fewer_known(case: _Case) -> Iterator[Alternative]:
    """Background knowledge of one visit or item."""
    m = getattr(case.method, "m", 1)
    if m > 1 and case.loss.measure != "column":
        element = "visit" if case.method.kind == "trajectories" else "item"
        yield from case.same(f"protects from an attacker who knows 1 {element} of a person, not {m}", m=1)


def _without_order(case: _Case) -> Iterator[Alternative]:
    """Movements as sets of places, which are published under their own names."""
    if isinstance(case.data, Trajectories):
        note = "publishes every place under its own name, but neither the order of visits nor which belong together"
        yield from case.other("disassociate", note, **_k_and_m(case))


def _disassociated(case: _Case) -> Iterator[Alternative]:
    note = "publishes every item under its own name, but not always which items belong together"
    yield from case.other("disassociate", note, **_k_and_m(case))


def _k_and_m(case: _Case) -> JsonObject:
    policy = getattr(case.data, "privacy_policy", None)
    m = getattr(case.method, "m", None) or getattr(policy, "size", 0) or 2
    return {"k": getattr(case.method, "k", 2), "m": m}


def _free_labels(case: _Case) -> Iterator[Alternative]:
    """Labels for any items, not only for nodes of the hierarchy."""
    note = "merges the items that lose least, across the nodes of the hierarchy"
    promised = _k_and_m(case)
    rule, parameters = f"all:{promised['m']}", {"k": promised["k"]}
    yield Alternative("coat", parameters, "transactions", note, privacy_policy=rule, utility_policy=False)


def _free_labels_in_clusters(case: _Case) -> Iterator[Alternative]:
    """The same for the items of mixed records."""
    about_items = case.loss.subject == "items" and case.loss.measure != "column"
    if about_items:
        note = "merges the items that lose least, across the nodes of the hierarchy"
        for name in ("coat", "pcta"):
            if str(case.given.get("transaction")) == name:
                continue
            yield from case.same(note, transaction=name)
            if getattr(case.data, "utility_policy", None) is not None:
                for alternative in case.same(f"{note}: without the utility policy", transaction=name):
                    yield replace(alternative, utility_policy=False)
    if case.method.name != "r-first":
        for name in ("coat", "pcta"):
            yield from case.other("r-first", "forms clusters of similar rows before it recodes items", transaction=name)


def _local_recoding(case: _Case) -> Iterator[Alternative]:
    """A value under different labels in different rows."""
    from sfumato.methods.relational.base import GlobalRecoding

    if isinstance(case.method, GlobalRecoding):
        for name in ("cluster", "local"):
            yield from case.other(name, "keeps the same promise; a value may have different labels in different rows")


def _any_label(case: _Case) -> Iterator[Alternative]:
    """COAT and PCTA without the limits of a utility policy."""
    if getattr(case.data, "utility_policy", None) is not None:
        for alternative in case.same("merges any items: without the utility policy"):
            yield replace(alternative, utility_policy=False)


def _owners(case: _Case) -> Iterator[Alternative]:
    note = "keeps the same promise by changes in single trajectories"
    for name in ("mix", "split", "lsup"):
        if name != case.method.name:
            yield from case.other(name, note)


def _looser_clusters(case: _Case) -> Iterator[Alternative]:
    """Clusters of less similar trajectories."""
    similarity = getattr(case.method, "similarity", 0)
    if similarity > 0.1:
        yield from case.same("keeps the same promise; clusters less similar trajectories", similarity=similarity / 2)


def _weaker(case: _Case, *names: str) -> Iterator[Alternative]:
    """The same method with a weaker promise."""
    for name in names:
        value = getattr(case.method, name, None)
        for weaker in () if value is None else _WEAKER[name](value):
            yield from case.same(f"promises less: {name}={weaker:g}, not {value:g}", **{name: weaker})


def _a_fifth_or_two(size: int) -> list[int]:
    return [smaller for smaller in dict.fromkeys((size // 5, 2)) if 2 <= smaller < size]


_WEAKER: dict[str, Callable[[Any], list[Any]]] = {
    "k": _a_fifth_or_two,
    "group_size": _a_fifth_or_two,
    "l": lambda l: [1] if l > 1 else [],  # noqa: E741
    "t": lambda t: [min(1.0, 2 * t)] if t < 1 else [],
    "threshold": lambda share: [(1 + share) / 2] if share < 0.99 else [],
    "epsilon": lambda epsilon: [10 * epsilon, 100 * epsilon],
    "max_cluster_size": lambda size: [4 * size],
}
"""Weaker values of a parameter, those that change the promise less first."""


def _weaker_in(*names: str) -> Callable[[_Case], Iterator[Alternative]]:
    return lambda case: _weaker(case, *names)


_BY_PROMISE: dict[tuple[str, str], tuple[Callable[[_Case], Iterator[Alternative]], ...]] = {
    ("km", "trajectories"): (_fewer_known, _without_order),
    ("klm", ""): (_fewer_known, _without_order, _weaker_in("l")),
    ("km", "transactions"): (_disassociated, _free_labels, _fewer_known),
    ("policy", ""): (_any_label, _disassociated),
    ("reconstruction", ""): (_weaker_in("k", "max_cluster_size"), _fewer_known),
    ("k-anonymity", ""): (_local_recoding, _weaker_in("t", "l")),
    ("kkm", ""): (_free_labels_in_clusters, _fewer_known),
    ("projection", ""): (_owners, _weaker_in("threshold")),
    ("c-safety", ""): (_weaker_in("group_size"),),
    ("sequence-k", ""): (_without_order,),
    ("strict-k", ""): (_looser_clusters,),
    ("epsilon", ""): (_weaker_in("epsilon"),),
}


def _as_sets(data: Trajectories) -> Transactions:
    """The visited places of each record as a set of items."""
    record = data.record_of_element()
    keys = np.unique(record * max(1, len(data.names)) + data.codes)
    lengths: Ints = np.bincount(keys // max(1, len(data.names)), minlength=len(data))
    return Transactions(
        offsets=np.concatenate(([0], np.cumsum(lengths))),
        codes=(keys % max(1, len(data.names))).astype(np.int32),
        names=data.names,
        ids=data.ids,
        persons=data.persons,
    )
