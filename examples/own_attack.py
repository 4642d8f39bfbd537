# %% [markdown]
# # An attack of your own
#
# A promise covers the attackers that somebody thought of. To try another one, write it down: an attack is a small
# class that says how probable its success is against each person. This notebook writes an attacker who knows only
# *how many* visits a person made, and attacks data before and after they are protected.
#
# All people in it are generated. It needs `pip install 'sfumato[report]'`.

# %%
from dataclasses import dataclass
from typing import ClassVar

import altair as alt
import numpy as np
import polars as pl

import sfumato
from sfumato.attacks import AttackSetting
from sfumato.attacks.base import Attack, Finding, Progress
from sfumato.generate import Checkins

alt.renderers.enable("svg")  # pictures that every viewer of notebooks shows
SIZE = 4_000  # trajectories; 400 are enough for a quick look

# %% [markdown]
# ## The idea
#
# A neighbour sees a person leave the house nine times. If only one trajectory has nine visits, it is found.
#
# An attack gets a *setting* with the private data and, if there is one, the release. It returns a *finding*: the
# probability of success against each target, and that of a guess without any knowledge (`baseline`).


# %%
@dataclass(frozen=True, kw_only=True)
class HowMany(Attack):
    """Pick a record with as many visits as the person is known to have made."""

    name: ClassVar[str] = "how-many"
    title: ClassVar[str] = "number of visits"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    idea: ClassVar[str] = "finds people by how many visits they made"
    against: ClassVar[bool] = False

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        seen = setting.release.data if setting.releases else setting.original
        wanted = setting.original.lengths
        sizes = np.bincount(seen.lengths, minlength=int(wanted.max(initial=0)) + 1)[wanted]
        return Finding(
            self.name,
            self.title,
            "how many visits a record has",
            "that a record picked among those with as many visits is the right one",
            np.where(sizes > 0, 1.0 / np.maximum(sizes, 1), 0.0),
            of=len(wanted),
            baseline=1.0 / max(1, len(seen)),
            at_most=bool(setting.releases),
        )


# %% [markdown]
# ## The town, and a release of it
#
# The release keeps k^m-anonymity: an attacker who knows any two visits of a person matches at least five people.

# %%
town = Checkins(trajectories=SIZE, locations=50, mean_length=5).make(seed=1)
release = sfumato.SeqAnon(k=5, m=2).anonymize(town, seed=1)
release

# %% [markdown]
# ## Attack both

# %%
settings = {"original": AttackSetting.of(town), "published": AttackSetting.of(town, release)}
findings = {name: HowMany().run(setting) for name, setting in settings.items()}
pl.DataFrame(
    [
        {
            "data": name,
            "mean success": round(float(found.successes.mean()), 5),
            "people found for certain": int((found.successes == 1).sum()),
            "a guess": round(found.baseline, 5),
        }
        for name, found in findings.items()
    ]
)

# %% [markdown]
# The protected data are no safer against *this* attacker. `seqanon` replaces places by labels and leaves the number
# of visits as it is. The promise is not broken, because it speaks of an attacker who knows two visits; the
# certificate lists what it does not cover.

# %%
successes = pl.concat(
    [
        pl.DataFrame({"data": name, "visits": town.lengths, "success": found.successes})
        for name, found in findings.items()
    ]
).unique(maintain_order=True)
alt.Chart(successes).mark_line(point=True).encode(
    alt.X("visits:O", title="number of visits that the attacker knows"),
    alt.Y("success", title="probability of success", axis=alt.Axis(format="%")),
    alt.Color("data", title=None),
    alt.StrokeDash("data", title=None),
).properties(width=460, height=260, title="Long records are rare, and rare is found")

# %% [markdown]
# ## A remedy, measured
#
# Records of a rare length are the problem. We leave out those whose length fewer than 20 records have, and anonymize
# the rest. The attack measures what that buys, and what it costs.

# %%
common = np.bincount(town.lengths)[town.lengths] >= 20
usual = town.take(np.flatnonzero(common))
better = sfumato.SeqAnon(k=5, m=2).anonymize(usual, seed=1)
found = HowMany().run(AttackSetting.of(usual, better))
print(f"{len(town) - len(usual)} of {len(town)} trajectories are left out")
before = findings["published"].successes.max()
print(f"the most probable success is {found.successes.max():.1%}, before it was {before:.0%}")

# %% [markdown]
# ## Where next
#
# Save the class, with the imports that it needs, to a file `how_many.py`. Then `sfumato audit visits.csv --against
# published --attack how_many:HowMany` runs it. The page *How to add an attack* of the documentation shows its tests,
# and how to put it into a package.
