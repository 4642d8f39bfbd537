# %% [markdown]
# # A transport analyst publishes the check-ins of a town
#
# A transport analyst has the check-ins of a town: who was at which place, in which order. Planners ask for the data.
# Names are not in them, and still a few visits often identify a person. This notebook audits the data, anonymizes
# them, checks the release from its files, attacks it, and shows on a map what is left.
#
# All people in it are generated. It needs `pip install 'sfumato[report]'`.

# %%
import os
import tempfile

import altair as alt
import polars as pl

import sfumato
from sfumato.generate import Checkins

alt.renderers.enable("svg")  # pictures that every viewer of notebooks shows
os.chdir(tempfile.mkdtemp())  # all files go to a folder of their own
SIZE = 30_000  # trajectories; 500 are enough for a quick look

# %% [markdown]
# ## The data
#
# One row is one visit, and the rows of a trajectory are in the order of the visits. We write two files first, as a
# town would have them, and read them. Files of your own are read in the same way.

# %%
town = Checkins(trajectories=SIZE, locations=100, persons=SIZE // 3, mean_length=3).make(seed=1)
town.places.frame.select("location", "x", "y").write_csv("places.csv")
town.to_polars().drop("x", "y", strict=False).write_csv("visits.csv")
walks = sfumato.read("visits.csv", places="places.csv")
walks

# %% [markdown]
# ## How risky are the data as they are?
#
# An attacker who has seen a person at two places looks for the trajectories that contain both, in this order. If
# there is only one person, the attacker has found them, and learns all other visits.

# %%
risk = sfumato.audit(walks, known=2)
print(risk.summary)
risk.chart()

# %% [markdown]
# ## What would a promise cost?
#
# We want *k^m-anonymity*: an attacker who knows up to *m* = 2 visits of a person matches at least *k* people.
# `seqanon` keeps it by letting nearby places share a label. We try three values of *k*. `displacement` is the mean
# distance, in metres, between a visited place and the places that its label stands for; `intact` is the share of
# places, in percent, that keep their own name.

# %%
beside = sfumato.compare(walks, {f"k = {k}": sfumato.SeqAnon(k=k, m=2) for k in (2, 5, 10)}, ["displacement", "intact"])
beside.to_polars().pivot(on="measure", index="candidate", values="value").with_columns(pl.col("displacement").round())

# %% [markdown]
# ## Anonymize and publish
#
# We choose *k* = 5. The release is checked before it is returned, by code that did not make it. `published/` is
# made to be published. `private.json` is not: it was computed from the original.

# %%
release = sfumato.SeqAnon(k=5, m=2).anonymize(walks, seed=1)
folder = release.write("published", report="private.json")
sorted(path.name for path in folder.path.iterdir())

# %%
release

# %% [markdown]
# ## Check it from the files, then with the original
#
# Everyone who has the directory can check it. The promise counts *people*, who are not published, so the files alone
# cannot show all of it. With the original they can.

# %%
for original in (None, walks):
    checked = sfumato.verify("published", original=original)
    print(checked.to_polars().select("promise", "holds").rows())

# %% [markdown]
# ## Attack it
#
# `audit` with `against` runs every attack that fits, and compares what attackers achieve with what was promised. The
# worst case of `reidentify`, 1 in 5, is exactly what *k* = 5 allows. `linkage` and `downcoding` succeed more often,
# and the promise does not cover them: the first attacker has a whole private record, the second guesses the place
# behind a label. The certificate lists such limits.

# %%
attacked = sfumato.audit(walks, against="published", report="private.json", seed=1)
print(attacked.verdict)
attacked.to_polars().select("attack", "title", pl.col("mean", "worst").round(3))

# %% [markdown]
# ## What is left
#
# Small circles are places, and lines are the strongest flows between them. On the right, places that share a label
# are drawn as one area. The flows through the town are still there; which shop it was is not.

# %%
sfumato.draw_map(walks, release, titles=["original", "published"], top_flows=60)

# %% [markdown]
# ## A page for the board
#
# Two documents of one design: one for everyone, one with the private figures. `.write("board.pdf")` makes a PDF.

# %%
for name, more in {"public.html": {}, "private.html": {"original": walks, "report": "private.json"}}.items():
    sfumato.report("published", **more).write(name)
    print(name, "is written")
