"""CAST: groups of trajectories that look alike, their sensitive places generalized (Monreale et al., 2011)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import Taxonomy, Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import sequence_order
from sfumato.errors import DataError, Infeasible
from sfumato.methods.base import Method, Outcome, Run
from sfumato.methods.trajectories.cast.lengths import Group, group_lengths
from sfumato.methods.trajectories.cast.sensitive_generalization import lifted_places
from sfumato.methods.trajectories.cast.taxonomy_arrays import Tree
from sfumato.methods.trajectories.cast.unchanged_groups import untouched
from sfumato.methods.trajectories.cast.workplaces import visits_to_work
from sfumato.params import exact, param
from sfumato.privacy.c_safety import CSafety

__all__ = ["Cast"]

_NOTHING = -1


@dataclass(frozen=True, kw_only=True)
class Cast(Method[Trajectories]):
    """Publish trajectories whose sensitive places cannot be inferred with a probability above c.

    Trajectories with equally many ordinary places form groups, in which these places become the closest node of the
    taxonomy above them; sensitive places climb in the taxonomy only where their group makes them too probable.  Where c
    holds already, trajectories are published as they are.

    Notes
    -----
    Algorithm CAST of [1]_.  Its steps:

    1. A sensitive place that is a person's workplace is suppressed: as given, or found by days and
       hours.
    2. Sensitive places are set aside; what is left of the trajectories is taken by length, from the longest to the
       shortest.  Of each length groups of `group_size` are made that cost little to generalize (Definition 13).  The
       paper tries all groups; here each distinct sequence is tried as the middle of one, the cheapest is improved by
       exchanging members, and in the end groups exchange members with each other.  What is left over loses the place
       whose loss costs least (where what remains is nearest to one of the next length) and joins the next length; what
       is left at the end is suppressed and counted.
    3. Each position of a group is published as the closest common ancestor.
    4. A sensitive leaf whose probability in its group exceeds c climbs, with everything in the group under the same
       parent, while every leaf below is sensitive; above that it is suppressed in the whole group and counted.
    5. Sensitive places go back to their positions.

    One departure: a group is published as it is, and so is a trajectory that is left over, where c holds already
    without steps 3 and 4.  That is so if, among the trajectories published as they are, no more than a share c of those
    with the same ordinary places visit any one sensitive place.  Such trajectories may be the only ones of their kind:
    c-safety does not hide who is who.

    One record may carry two labels that share a member, such as a station and the node above all stations: positions
    are generalized one by one, and the verifier reads labels as the leaves under them, not as symbols.

    Where persons are known, a group holds one trajectory of each of `group_size` persons, and a person with n published
    trajectories counts 1 / n in each group, so that the promise holds for all groups that an attacker's knowledge
    finds together.  Persons with many trajectories therefore cost many sensitive places.

    Trajectories of sensitive places only are published as they are: no quasi-identifier reaches them.  The report
    counts them.

    References
    ----------
    .. [1] A. Monreale, R. Trasarti, D. Pedreschi, C. Renso, V. Bogorny, "C-safety: a framework for the anonymization of
       semantic trajectories", Transactions on Data Privacy 4(2), 2011.

    Examples
    --------
    >>> places = {"Place": None, "Station": "Place", "S1": "Station", "S2": "Station", "Clinic": "Place"}
    >>> tree = Taxonomy(places | {"C1": "Clinic", "C2": "Clinic"}, sensitive=["Clinic"])
    >>> walks = Trajectories.from_lists([["S1", "C1"], ["S2", "C1"], ["S1"]], taxonomy=tree)
    >>> Cast(c=0.4, group_size=3).anonymize(walks).data.to_lists()
    [['Station'], ['Station', 'Clinic'], ['Station', 'Clinic']]
    """

    name: ClassVar[str] = "cast"
    labels_are_nodes: ClassVar[bool] = True
    title: ClassVar[str] = "CAST"
    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "Monreale et al., Transactions on Data Privacy 4(2), 2011"
    promises: ClassVar[tuple[str, ...]] = ("c-safety",)
    needs: ClassVar[tuple[str, ...]] = ("taxonomy",)
    takes: ClassVar[tuple[str, ...]] = ("workplaces",)

    c: float = param(above=0, at_most=1, help="largest probability of inferring a sensitive place; the paper's c")
    group_size: int = param(
        at_least=2, grid=(5, 10, 20), help="how many trajectories are generalized together; the paper's m"
    )
    distance: str = param(
        "hops",
        choices=("hops", "leaves"),
        grid=("hops", "leaves"),
        help="cost of generalizing: steps in the taxonomy, or leaves under the node",
    )

    @property
    def guarantees(self) -> tuple[CSafety, ...]:
        return (CSafety(c=self.c),)

    def transform(self, data: Trajectories, run: Run) -> Outcome[Trajectories]:
        taxonomy = _required(self, data)
        tree = Tree.of(taxonomy, self.distance)
        with run.phase("suppressing false sensitive places"):
            used, false = _without_false(data, tree)
        with run.phase("grouping"):
            view = _View(used, tree)
            groups, as_they_are = self._groups(view, tree, run)
        with run.phase("generalizing"):
            view.publish(groups, as_they_are, exact(self.c))
        counts = {"suppressed_as_workplace": int(false), "groups": len(groups), "untouched_records": len(as_they_are)}
        return _outcome(data, view, tree, counts)

    def _groups(self, view: _View, tree: Tree, run: Run) -> tuple[list[Group], list[int]]:
        """The groups that have to be generalized, and the records that keep c as they are."""
        everybody = [[record] for record, sequence in enumerate(view.sequences) if sequence]
        if all(view.untouched(everybody, exact(self.c))):
            return [], [record for part in everybody for record in part]
        groups, left = group_lengths(view.sequences, view.units, self.group_size, tree, run)
        parts = [*(group.records for group in groups), *([record] for record in left)]
        kept = view.untouched(parts, exact(self.c))
        as_they_are = [record for part, keeps in zip(parts, kept, strict=True) if keeps for record in part]
        return [group for group, keeps in zip(groups, kept, strict=False) if not keeps], as_they_are


def _required(method: Cast, data: Trajectories) -> Taxonomy:
    taxonomy = data.taxonomy
    assert taxonomy is not None
    taxonomy.require(data.with_used_names().names, "location")
    if not taxonomy.sensitive:
        raise DataError(
            f"{method.name}: wanted a taxonomy with sensitive nodes, found none; mark them in its column 'sensitive'"
        )
    present = len(np.unique(data.units[data.lengths > 0]))
    if present < method.group_size:
        raise Infeasible(
            f"{method.name}: group_size={method.group_size} needs at least {method.group_size} {data.unit}s "
            f"with a visit, these data have {present}"
        )
    return taxonomy


def _without_false(data: Trajectories, tree: Tree) -> tuple[tuple[Trajectories, Ints], int]:
    """The data without sensitive workplaces, which visits are left, and how many were not."""
    sensitive = np.array(
        [tree.all_sensitive[tree.number[name]] if name in tree.number else False for name in data.names]
    )
    false = visits_to_work(data) & (sensitive[data.codes] if len(data.codes) else np.zeros(0, dtype=bool))
    kept = np.flatnonzero(~false)
    counts = np.bincount(data.record_of_element()[kept], minlength=len(data))
    left = replace(
        data,
        offsets=np.concatenate(([0], np.cumsum(counts))),
        codes=data.codes[kept],
        times=None,
        workplaces=None,
    )
    return (left, kept), len(data.codes) - len(kept)


class _View:
    """The records in the order of their content, with the node of each visit and what is published for it."""

    def __init__(self, used: tuple[Trajectories, Ints], tree: Tree) -> None:
        data, kept = used
        content = sequence_order(data)
        order = content[np.lexsort((_unit_ranks(data, content)[content], _ranks(data, content)))]
        self.data = data.take(order)
        self.private = kept[data.elements_of(order)]
        self.records, self._tree = order, tree
        node_of_code = np.array([tree.number.get(name, 0) for name in data.names], dtype=np.int64)
        self.nodes = node_of_code[self.data.codes]
        self.secret = tree.all_sensitive[self.nodes]
        self.units = self.data.units
        bounds = self.data.offsets.tolist()
        self.known = [first + np.flatnonzero(~self.secret[first:end]) for first, end in pairwise(bounds)]
        self.hidden = [first + np.flatnonzero(self.secret[first:end]) for first, end in pairwise(bounds)]
        self.sequences = [tuple(self.nodes[visits].tolist()) for visits in self.known]
        self.published = np.full(len(self.nodes), _NOTHING, dtype=np.int64)
        self.counts: Counter[str] = Counter()

    def untouched(self, parts: list[list[int]], c: Fraction) -> list[bool]:
        """Which of these parts of the records can be published as they are."""
        sensitive_leaves = [self.nodes[visits].tolist() for visits in self.hidden]
        return untouched(parts, self.sequences, sensitive_leaves, self.units.tolist(), c)

    def publish(self, groups: list[Group], as_they_are: list[int], c: Fraction) -> None:
        """Write the labels of every group, the records that keep c as they are, and those of sensitive places only."""
        published = [*as_they_are, *(record for group in groups for record in group.records)]
        records_of = Counter(self.units[published].tolist())
        for record in as_they_are:
            visits = slice(self.data.offsets[record], self.data.offsets[record + 1])
            self.published[visits] = self.nodes[visits]
        for group in groups:
            for record, positions in zip(group.records, group.positions, strict=True):
                self.published[self.known[record][list(positions)]] = group.labels
                self.counts["suppressed_to_fit_group"] += len(self.known[record]) - len(positions)
            sensitive_leaves = [self.nodes[self.hidden[record]].tolist() for record in group.records]
            crowd = sum((Fraction(1, records_of[unit]) for unit in self.units[group.records].tolist()), Fraction(0))
            label = lifted_places(sensitive_leaves, c * crowd, self._tree)
            for record, leaves in zip(group.records, sensitive_leaves, strict=True):
                self.published[self.hidden[record]] = [label[leaf] for leaf in leaves]
                self.counts["suppressed_sensitive"] += sum(label[leaf] == _NOTHING for leaf in leaves)
        for known, hidden in zip(self.known, self.hidden, strict=True):
            if len(known) == 0 and len(hidden):
                self.published[hidden] = self.nodes[hidden]
                self.counts["sensitive_only_records"] += 1


def _ranks(data: Trajectories, order: Ints) -> Ints:
    """The rank of the content of each record, in the order given; equal content has equal rank."""
    rows = [data.codes[data.offsets[record] : data.offsets[record + 1]].tobytes() for record in order.tolist()]
    fresh = [before != after for before, after in pairwise(rows)]
    return np.concatenate(([0], np.cumsum(fresh)))[: len(rows)].astype(np.int64)


def _unit_ranks(data: Trajectories, content: Ints) -> npt.NDArray[np.int64]:
    """For each record the rank of its person, by what all of the person's records hold and not by any name."""
    if data.persons is None:
        return np.zeros(len(data), dtype=np.int64)
    held: dict[int, list[int]] = {}
    for record, rank in zip(content.tolist(), _ranks(data, content).tolist(), strict=True):
        held.setdefault(int(data.units[record]), []).append(rank)
    rank_of = {unit: rank for rank, unit in enumerate(sorted(held, key=held.__getitem__))}
    return np.array([rank_of[unit] for unit in data.units.tolist()], dtype=np.int64)


def _outcome(data: Trajectories, view: _View, tree: Tree, counts: dict[str, int]) -> Outcome[Trajectories]:
    keep = view.published != _NOTHING
    lengths = np.bincount(view.data.record_of_element()[keep], minlength=len(view.data))
    used = np.unique(view.published[keep])
    names = sorted(tree.names[node] for node in used)
    code_of_node = np.zeros(len(tree.names), dtype=np.int32)
    code_of_node[[tree.number[name] for name in names]] = np.arange(len(names))
    taxonomy = data.taxonomy
    assert taxonomy is not None
    members = {name: _members(name, taxonomy, tree) for name in names if not taxonomy.is_leaf(name)}
    published = replace(
        view.data,
        offsets=np.concatenate(([0], np.cumsum(lengths))),
        codes=code_of_node[view.published[keep]],
        names=tuple(names),
        members=members,
        ids=None,
        persons=None,
        constraints=None,
    )
    lost = {
        "suppressed_visits": int(len(data.codes) - np.count_nonzero(keep)),
        "suppressed_records": int(np.count_nonzero(lengths == 0)),
        "sensitive_only_records": 0,
        "suppressed_sensitive": 0,
        "suppressed_to_fit_group": 0,
        "generalized_visits": int(np.count_nonzero(view.published[keep] != view.nodes[keep])),
    }
    return Outcome(published, view.private[keep], {**lost, **counts, **{k: int(v) for k, v in view.counts.items()}})


def _members(label: str, taxonomy: Taxonomy, tree: Tree) -> tuple[str, ...]:
    """All leaves under a sensitive node, otherwise those that are not sensitive."""
    leaves = taxonomy.leaves_below(label)
    if tree.all_sensitive[tree.number[label]]:
        return leaves
    return tuple(leaf for leaf in leaves if not tree.all_sensitive[tree.number[leaf]])
