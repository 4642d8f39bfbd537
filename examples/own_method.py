# %% [markdown]
# # A method of your own
#
# A method is a small class: its parameters, its promise, and one function that changes the data. Sfumato does the
# rest. It checks the promise with code that the method does not have, writes the certificate, measures, attacks and
# draws. This notebook writes a method in forty lines and puts it beside a published one.
#
# All people in it are generated. It needs `pip install 'sfumato[report]'`.

# %%
from dataclasses import dataclass, replace
from typing import ClassVar

import altair as alt
import numpy as np
import polars as pl

import sfumato
from sfumato.data import Trajectories
from sfumato.errors import PromiseBroken
from sfumato.generate import Checkins
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.params import param
from sfumato.privacy import KmAnonymity

alt.renderers.enable("svg")  # pictures that every viewer of notebooks shows
SIZE = 5_000  # trajectories; 500 are enough for a quick look

# %% [markdown]
# ## The idea
#
# Visits to a place that fewer than *k* people visit identify people, so we leave them out. All others stay as they
# are. Then an attacker who knows *one* visit of a person matches at least *k* people.
#
# - `k` is a parameter: the check, the option on the command line and the documentation come from this one line.
# - `guarantees` says what is promised.
# - `transform` returns the changed data, and for each published visit the original one (`origin`), which measures
#   need.


# %%
@dataclass(frozen=True, kw_only=True)
class WellVisited(Method):
    """Publish visits to places that at least k people visit."""

    name: ClassVar[str] = "well-visited"
    title: ClassVar[str] = "well-visited places"
    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "an example"
    promises: ClassVar[tuple[str, ...]] = ("km",)

    k: int = param(at_least=2, help="smallest number of people who visit a published place")

    @property
    def guarantees(self) -> tuple[KmAnonymity, ...]:
        return (KmAnonymity(k=self.k, m=1),)

    def transform(self, data: Trajectories, run: Run) -> Outcome:
        require_units(self, self.k, data)
        record = data.record_of_element()
        with run.phase("counting visitors"):
            visitors = np.unique(np.column_stack((data.units[record], data.codes)), axis=0)
            support = np.bincount(visitors[:, 1], minlength=len(data.names))
        keep = support[data.codes] >= self.k
        lengths = np.bincount(record[keep], minlength=len(data))
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        published = replace(data, offsets=offsets, codes=data.codes[keep], times=None)
        counts = {"suppressed_visits": int((~keep).sum()), "suppressed_records": int((lengths == 0).sum())}
        return Outcome(published, np.flatnonzero(keep), counts)


# %% [markdown]
# ## It works like any other
#
# The town has many places that few people visit.

# %%
town = Checkins(trajectories=SIZE, locations=600, persons=SIZE // 2, mean_length=4).make(seed=1)
release = WellVisited(k=20).anonymize(town, seed=1)
release

# %% [markdown]
# ## A method does not vouch for itself
#
# What if we promise too much? Here is the same method with *m* = 2 in its promise. The verifier finds two visits that
# too few people share, and nothing can be published.


# %%
class Boaster(WellVisited):
    """The same changes, and a promise that they do not keep."""

    name: ClassVar[str] = "boaster"

    @property
    def guarantees(self) -> tuple[KmAnonymity, ...]:
        return (KmAnonymity(k=self.k, m=2),)


boast = Boaster(k=20).anonymize(town, seed=1)
try:
    boast.write("never")
except PromiseBroken as refusal:
    print(refusal)

# %% [markdown]
# ## Is it any good?
#
# We put it beside `seqanon`, which lets nearby places share a label instead of leaving visits out. `are` is the
# average relative error of counting queries, and `intact` is the share of places, in percent, that keep their own
# name.

# %%
candidates = {
    f"{name}, k = {k}": method(k)
    for k in (5, 20, 80)
    for name, method in {
        "well-visited": lambda k: WellVisited(k=k),
        "seqanon": lambda k: sfumato.SeqAnon(k=k, m=1),
    }.items()
}
beside = sfumato.compare(town, candidates, ["are:queries=200", "intact"])
beside.to_polars().pivot(on="measure", index="candidate", values="value").with_columns(pl.selectors.float().round(3))

# %%
beside.chart()

# %% [markdown]
# ## Where next
#
# Save the class, with the imports that it needs, to a file `mine.py`. Then `sfumato anonymize mine:WellVisited
# visits.csv --k 20 --out published` runs it, and `advise` and `compare` take it, too. The pages *A method of your
# own* and *How to add a method* of the documentation show how to put it into a package of your own, and how its tests
# look.
