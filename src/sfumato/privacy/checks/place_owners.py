"""Who owns the places: each owner sees the visits to its own places, and owners may pool what they see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.places import Places
from sfumato.data.trajectories import Trajectories
from sfumato.errors import MissingKnowledge, ParameterError

__all__ = ["COLLUDE_HELP", "Adversaries", "coalitions"]

COLLUDE_HELP = "owners who share what they see, as A,B; separate several groups by semicolons"


@dataclass(frozen=True, eq=False)
class Adversaries:
    """The owners of a dataset's places as adversaries; owners who collude are one.

    names : in name order; a coalition is called A+B.  An owner without a place in the data is left out.
    of_label : int32, for each of the data's names the adversary who sees visits to it, or -1 for none.
    silent : owners in the places, none of whose places occur in the data.

    >>> from sfumato import Places
    >>> places = Places.from_frame({"location": ["bar", "gym", "inn"], "owner": ["Ann", "Bob", "Cy"]})
    >>> walks = Trajectories.from_lists([["bar", "gym"], ["park", "inn"]], places=places)
    >>> seen_by = Adversaries.of(walks, "Ann,Cy")
    >>> seen_by.names, dict(zip(walks.names, seen_by.of_label.tolist()))
    (('Ann+Cy', 'Bob'), {'bar': 0, 'gym': 1, 'inn': 0, 'park': -1})
    """

    names: tuple[str, ...]
    of_label: Ints
    silent: tuple[str, ...]

    @classmethod
    def of(
        cls, data: Trajectories, collude: str | None = None, *, places: Places | None = None, who: str = "owners"
    ) -> Self:
        """The adversaries of these data, by their own places or, where they carry none, by the given ones."""
        known = data.places if data.places is not None else places
        if known is None or "owner" not in known.frame.columns:
            raise MissingKnowledge(f"{who}: needs owners, these data carry none", remedy="give-owners")
        owners_listed = {str(owner) for owner in known.frame["owner"].drop_nulls().unique().to_list() if owner != ""}
        group_of = {owner: owner for owner in owners_listed}
        for group in coalitions(collude, who):
            coalition = "+".join(group)
            while coalition in group_of.values():  # an owner may be called A+B
                coalition += "+"
            for owner in group:
                if owner not in owners_listed:
                    raise ParameterError(f"{who}: collude names {owner!r}, who owns no place")
                group_of[owner] = coalition
        used = np.zeros(len(data.names), dtype=bool)
        used[data.codes] = True
        owners = {name: str(owner) for name, owner in known.facts(data.names, "owner").items()}
        owners_seen = {
            owners[name] for name, visited in zip(data.names, used, strict=True) if visited and name in owners
        }
        names = sorted({group_of[owner] for owner in owners_seen})
        number = {name: index for index, name in enumerate(names)}
        of_label = [number.get(group_of[owners[name]], -1) if name in owners else -1 for name in data.names]
        return cls(tuple(names), np.array(of_label, dtype=np.int32), tuple(sorted(owners_listed - owners_seen)))

    def __len__(self) -> int:
        return len(self.names)

    def nothing_to_protect(self, data: Trajectories) -> str:
        """Why no visit has to be protected from any owner, in a sentence; empty where there is something to protect."""
        used = np.unique(self.of_label[np.unique(data.codes)])
        if len(used) == 0:
            return "nothing to protect: there are no visits"
        if len(used) > 1:  # places without an owner, -1, are sensitive to every owner
            return ""
        if used[0] < 0:
            return "nothing to protect against: no visited place has an owner"
        return f"nothing to protect: {self.names[int(used[0])]} owns every visited place"


def coalitions(collude: str | None, who: str = "owners") -> tuple[tuple[str, ...], ...]:
    """The groups in a text such as ``A,B;C,D``, each in name order.

    >>> coalitions("B, A; C,D")
    (('A', 'B'), ('C', 'D'))
    """
    groups = [] if collude is None else [[name.strip() for name in part.split(",")] for part in collude.split(";")]
    members = [name for group in groups for name in group]
    if any(len(group) < 2 or "" in group for group in groups):
        raise ParameterError(f"{who}: collude must be groups of two owners or more, such as A,B;C,D, got {collude!r}")
    twice = next((name for name in members if members.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(
            f"{who}: collude must name an owner once, got {twice!r} twice; put all owners who share what they see "
            "into one group"
        )
    return tuple(sorted(tuple(sorted(group)) for group in groups))
