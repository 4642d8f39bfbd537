"""Why a release keeps next to nothing, and what to run instead on the same data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from sfumato.catalogue import METHODS
from sfumato.data import Dataset, Trajectories
from sfumato.errors import ParameterError
from sfumato.methods.alternative import Alternative
from sfumato.methods.alternative_trials import SECONDS, TrialResult, Trials
from sfumato.methods.base import Method
from sfumato.methods.causes import about_rows, cause_of, cause_of_column
from sfumato.methods.preparation_texts import step_words, text_of_step
from sfumato.methods.relational.base import GlobalRecoding, TableMethod
from sfumato.params import JsonObject
from sfumato.prepare.grid import Grid
from sfumato.utility.base import Released
from sfumato.utility.heavy_losses import HeavyLoss, heavy_losses

__all__ = ["explained_losses"]

_SHOWN = 2
_LITTLE = 0.02  # share of the rows of a table; more would be another table
_HALF = 0.5  # share of the visits of trajectories
_CLEARLY = 0.9  # of the displacement
_CELLS = (20, 10)  # along each side of a grid


def explained_losses(
    method: Method[Any],
    original: Dataset,
    release: Released[Dataset] | Dataset,
    *,
    alternatives: bool = True,
    seconds: float | None = None,
) -> tuple[HeavyLoss, ...]:
    """The near-total losses of a release of this method, each with its cause and up to two alternatives.

    An alternative is tried on the data and left out if it does not avoid the loss.  One that cannot be tried in time
    is named only if none of the others avoids the loss.
    alternatives : False for the causes alone, which takes no trials.
    seconds : the limit of time for all trials; by default twice that of the run itself, or 10 seconds if that is more.

    >>> from sfumato import SeqAnon
    >>> walks = Trajectories.from_lists(["ab", "cd", "ef"], places={name: (at, 0) for at, name in enumerate("abcdef")})
    >>> loss = explained_losses(SeqAnon(k=2, m=2), walks, SeqAnon(k=2, m=2).anonymize(walks))[0]
    >>> loss.cause
    '100 % of the places occur with fewer than 2 records; seqanon publishes a place under one label everywhere'
    >>> [(one.method, one.parameters) for one in loss.alternatives]
    [('km-split', {'k': 2, 'm': 2}), ('seqanon', {'k': 2, 'm': 1})]
    """
    losses = heavy_losses(original, release)
    taken = sum(dict(getattr(release, "seconds", {})).values())
    trials = Trials(original, release, losses, max(SECONDS, 2 * taken) if seconds is None else seconds)
    shared: dict[bool, str] = {}  # most columns of a table share their cause
    explained = []
    for loss in losses:
        cause = cause_of_column(loss, original)
        if not cause and about_rows(loss) not in shared:
            shared[about_rows(loss)] = cause_of(loss, method, original)
        offered = _offered(_Case.of(loss, method, original), trials) if alternatives else ()
        explained.append(replace(loss, cause=cause or shared[about_rows(loss)], alternatives=offered))
    return tuple(explained)


def _offered(case: _Case, trials: Trials) -> tuple[Alternative, ...]:
    """The loss at a little suppression, and alternatives that avoid the loss; else those that cannot be tried."""
    shown, untried = list(_at_little_suppression(case, trials)), []
    for alternative in _alternatives(case):
        if len(shown) == _SHOWN:
            break
        avoids, result = trials.avoids(alternative, case.loss), trials.result(alternative)
        if result is None:
            untried.append(replace(alternative, limit_s=trials.seconds))
        elif avoids and _is_new(alternative, shown) and _is_worth_it(result):
            shown.append(replace(alternative, tried=True, figures=result.figures))
    avoided = any(other.tried and not other.near_total for other in shown)
    if avoided or cause_of_column(case.loss, case.data):
        return tuple(shown)
    return (*shown, *untried)[:_SHOWN]


def _is_new(alternative: Alternative, shown: list[Alternative]) -> bool:
    """Whether the alternative is not a run that is offered already."""
    return all((alternative.parameters, alternative.preparation) != (one.parameters, one.preparation) for one in shown)


def _is_worth_it(result: TrialResult) -> bool:
    """Whether visits are displaced clearly less, where that was measured: most alternatives cost something else."""
    return all(figure.after <= _CLEARLY * figure.before for figure in result.figures if figure.name == "displacement")


def _at_little_suppression(case: _Case, trials: Trials) -> Iterator[Alternative]:
    """The same run that may suppress a few rows, whether it avoids the loss or not: one row can ruin a table."""
    if not isinstance(case.method, GlobalRecoding) or case.method.suppression >= _LITTLE or case.method.t < 1:
        return
    note = f"may suppress up to {_LITTLE:.0%} of the rows".replace("%", " %")
    for alternative in case.same(note, suppression=_LITTLE):
        result = trials.result(alternative)
        if result is None:
            yield replace(alternative, limit_s=trials.seconds)
        elif result.near_total is not None:
            yield replace(alternative, tried=True, near_total=tuple(sorted(result.near_total)), figures=result.figures)


@dataclass(frozen=True)
class _Case:
    """What an alternative is chosen by."""

    loss: HeavyLoss
    method: Method[Any]
    data: Dataset
    given: JsonObject = field(default_factory=dict)

    @classmethod
    def of(cls, loss: HeavyLoss, method: Method[Any], data: Dataset) -> _Case:
        values = method.to_json()
        given = {
            parameter.name: values[parameter.name]
            for parameter in method.parameters()
            if parameter.required or _differs(method, parameter)
        }
        return cls(loss, method, data, given)

    def other(self, name: str, note: str, **changes: Any) -> Iterator[Alternative]:
        """Another method, with the parameters that both have."""
        declared = METHODS.load(name)
        known = {need for need in declared.side_knowledge() if getattr(self.data, need, None)} | set(self.method.needs)
        if not all(known & set(needs) for needs in declared.requirements()):
            return
        own = {parameter.name for parameter in declared.parameters()}
        shared = {key: value for key, value in self.given.items() if key in own}
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


def _alternatives(case: _Case) -> Iterator[Alternative]:
    promise = case.method.promises[0] if case.method.promises else ""
    for choose in _BY_PROMISE.get((promise, case.method.kind), _BY_PROMISE.get((promise, ""), ())):
        yield from choose(case)
    yield from _weaker(case, "k")


def _differs(method: Method[Any], parameter: Any) -> bool:
    return bool(getattr(method, parameter.name) != parameter.check(method.name, parameter.default))


def _sparse(case: _Case) -> Iterator[Alternative]:
    """Changes in single trajectories, for movements among many places."""
    for name, how in (("km-split", "cuts trajectories into unlinked pieces"), ("km-suppress", "suppresses visits")):
        if name != case.method.name:
            yield from case.other(name, f"keeps the same promise; {how} in place of merging places everywhere")


def _fewer_visits(case: _Case) -> Iterator[Alternative]:
    """A share of the visits suppressed, so that rare places are not merged with distant ones."""
    given = getattr(case.method, "suppression", None)
    if given is not None and given < _HALF:
        note = f"keeps the same promise; may suppress up to {_HALF:.0%} of the visits, those of rare places"
        yield from case.same(note.replace("%", " %"), suppression=_HALF)


def _coarser_places(case: _Case) -> Iterator[Alternative]:
    """The same run on the cells of a grid."""
    places = getattr(case.data, "places", None)
    if places is None or not places.located or set(case.method.needs) - {"places"}:
        return
    for cells in _CELLS:
        step = Grid(cells=cells)
        note = f"keeps the same promise on {step_words(step)} in place of places"
        for alternative in case.same(note):
            yield replace(alternative, preparation=(text_of_step(step),))


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
    note = "merges the items that lose least, across the nodes of the hierarchy"
    about_items = case.loss.subject == "items" and case.loss.measure != "column"
    for name in ("coat", "pcta") if about_items else ():
        if str(case.given.get("transaction")) != name:
            yield from _with_sets_of_m(case, case.same(note, transaction=name))
    if case.method.name != "r-first":
        for name in ("coat", "pcta"):
            rows_first = case.other(
                "r-first", "forms clusters of similar rows before it recodes items", transaction=name
            )
            yield from _with_sets_of_m(case, rows_first)


def _with_sets_of_m(case: _Case, alternatives: Iterator[Alternative]) -> Iterator[Alternative]:
    """With a privacy policy of all sets of up to m items, which m promises; also without the utility policy."""
    m = getattr(case.method, "m", 0)
    for alternative in alternatives:
        protected = replace(alternative, privacy_policy=f"all:{m}" if m else "")
        yield protected
        if getattr(case.data, "utility_policy", None) is not None:
            yield replace(protected, note=f"{protected.note}: without the utility policy", utility_policy=False)


def _local_recoding(case: _Case) -> Iterator[Alternative]:
    """A value under different labels in different rows; or one label everywhere, without a few rows."""
    if isinstance(case.method, GlobalRecoding):
        for name in ("cluster", "local"):
            yield from case.other(name, "keeps the same promise; a value may have different labels in different rows")
    elif isinstance(case.method, TableMethod) and case.method.t >= 1:
        note = f"may suppress up to {_LITTLE:.0%} of the rows, which {case.method.name} cannot".replace("%", " %")
        yield from case.other("top-down", note, suppression=_LITTLE)


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
    ("km", "trajectories"): (_sparse, _fewer_visits, _coarser_places, _fewer_known, _without_order),
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
