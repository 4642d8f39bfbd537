# %% [markdown]
# # A taxi company publishes the traffic of its cars
#
# Every taxi reports where it is. A city wants to know how many taxis use which road, and where they turn. The company
# wants that no driver and no passenger can be followed. This notebook finds the roads of the positions, shows what a
# map reveals by itself, and publishes trips that many have in common.
#
# All trips in it are generated. It needs `pip install 'sfumato[report]'`.

# %%
import os
import tempfile

import altair as alt
import polars as pl

import sfumato
from sfumato.generate import City
from sfumato.prepare import MapMatching
from sfumato.privacy import NoInferenceRoute, StrictKAnonymity

alt.renderers.enable("svg")  # pictures that every viewer of notebooks shows
os.chdir(tempfile.mkdtemp())  # all files go to a folder of their own
SIZE = 3_000  # taxis; 400 are enough for a quick look

# %% [markdown]
# ## Positions
#
# A generated city, and taxis that drive in it. One row is one report of one taxi: when, and where.

# %%
city = City(nodes=120, degree=3, objects=SIZE, time_units=20, length=3, output="positions")
positions = city.positions(seed=1).with_network(city.streets(seed=1))
positions

# %% [markdown]
# ## From positions to roads
#
# A report says where a taxi was, not which road it drove on. `MapMatching` finds the most probable roads of each
# trip. First it merges reports of a taxi that stands still (`together`). It also counts what it could not match:
# reports far from any road (`off_road`), trips that broke into parts (`broken`), and single reports between two
# breaks (`single`). Here there are none.

# %%
matched = MapMatching().apply(positions)
drives = matched.data
print(matched.counts)
drives

# %% [markdown]
# ## What roads reveal
#
# Roads are connected. If ten taxis come to a crossing by a busy road and nine leave it by another busy road, the map
# shows where the tenth went. This is an *inference route*. Many trips are also unique as a whole.

# %%
k = 5
for promise in (StrictKAnonymity(k=k), NoInferenceRoute(k=k)):
    verdict = promise.check(drives)
    print(f"{promise.label}: {'holds' if verdict.holds else 'does not hold'}, {verdict.measured}")

# %% [markdown]
# ## Trips that many have in common
#
# `icba` cuts trips at roads that fewer than *k* taxis use, puts similar trips into clusters, and publishes for every
# member of a cluster the same route. So every published trip occurs at least *k* times, and no crossing reveals a
# turn. `cba` clusters the trips without cutting them first.

# %%
beside = sfumato.compare(
    drives, {"icba": sfumato.Icba(k=k), "cba": sfumato.Cba(k=k)}, ["road-error", "inference-routes"]
)
beside.to_polars().pivot(on="measure", index="candidate", values="value").with_columns(pl.col("road-error").round(3))

# %%
release = beside.releases["icba"]
release

# %% [markdown]
# ## Is the traffic still there?
#
# Both maps use one scale: the wider a road, the more taxis. Quiet roads are gone, which is the price. The busy ones
# carry about what they carried.

# %%
sfumato.draw_map(drives, release, titles=["original", "published"])

# %%
counts = [
    data.to_polars().group_by("road").len(name) for name, data in (("original", drives), ("published", release.data))
]
traffic = counts[0].join(counts[1], on="road", how="left").fill_null(0).sort("road")
dots = (
    alt.Chart(traffic)
    .mark_circle(size=40)
    .encode(
        alt.X("original", title="taxis on a road, original"), alt.Y("published", title="taxis on a road, published")
    )
)
top = int(traffic["original"].max())
line = alt.Chart(pl.DataFrame({"original": [0, top], "published": [0, top]})).mark_line(color="grey", strokeDash=[4, 4])
(line.encode(x="original", y="published") + dots).properties(width=420, height=300, title="Each dot is a road")

# %% [markdown]
# ## Publish and check
#
# The directory holds the trips and the *whole* road network, driven or not. Anyone can check both promises from it.

# %%
release.write("published", report="private.json")
print(sfumato.verify("published").to_polars().select("promise", "holds").rows())
print(sfumato.audit(drives, against="published", report="private.json", seed=1).verdict)
