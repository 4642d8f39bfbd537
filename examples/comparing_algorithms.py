# %% [markdown]
# # A student compares algorithms
#
# Which algorithm keeps a promise at the least cost, and how does the cost grow with *k*? This notebook runs three
# algorithms for sets of items with growing *k*, measures two kinds of loss, and draws both.
#
# All baskets in it are generated. It needs `pip install 'sfumato[report]'`.

# %%
import altair as alt
import polars as pl

import sfumato
from sfumato.generate import Baskets

alt.renderers.enable("svg")  # pictures that every viewer of notebooks shows
SIZE = 2_000  # baskets; 300 are enough for a quick look

# %% [markdown]
# ## The data
#
# Baskets, and what each algorithm needs beside them: a hierarchy of the items for `apriori`, and for `coat` the sets
# of items to protect, here all pairs.

# %%
sold = Baskets(records=SIZE, items=60, mean_size=5, patterns=80).make(seed=1)
shelves = sfumato.Taxonomy.balanced(sold.names, fanout=4)
baskets = sfumato.read(sold.to_polars(), taxonomy=shelves).with_policies(privacy=sfumato.Policy(size=2))
baskets

# %% [markdown]
# ## The runs
#
# All three protect from an attacker who knows any two items. `apriori` replaces rare items by a node of the
# hierarchy, `coat` merges rare items whichever they are, and `disassociate` keeps every item and separates items that
# are rare together.
#
# `are` is the average relative error of counting queries. `tkd` is the share of the most frequent itemsets that are
# lost. For both, lower is better, and 0 is no loss.

# %%
algorithms = {
    "apriori": lambda k: sfumato.AprioriAnon(k=k, m=2),
    "coat": lambda k: sfumato.Coat(k=k),
    "disassociate": lambda k: sfumato.Disassociate(k=k, m=2),
}
runs = [
    sfumato.compare(baskets, {name: algorithm(k) for name, algorithm in algorithms.items()}, ["are:queries=100", "tkd"])
    .to_polars()
    .with_columns(k=pl.lit(k))
    for k in (2, 5, 10, 20)
]
results = pl.concat(runs)
results.pivot(on="k", index=["measure", "candidate"], values="value").with_columns(pl.selectors.float().round(3))

# %% [markdown]
# ## The pictures

# %%
lines = (
    alt.Chart(results)
    .mark_line(point=True)
    .encode(alt.X("k:O", title="k"), alt.Y("value", title=None), alt.Color("candidate", title=None))
)
titles = {"are": "average relative error of queries", "tkd": "share of frequent itemsets lost"}
alt.hconcat(
    *(
        lines.transform_filter(alt.datum.measure == measure).properties(width=260, height=220, title=title)
        for measure, title in titles.items()
    )
)

# %% [markdown]
# ## Read this with care
#
# The three do not promise the same. After `apriori` and `coat`, any two known items match at least *k* published
# baskets. After `disassociate`, the baskets can be put together so that at least *k* of them match. A picture that
# compares costs says nothing about that: `sfumato promises` does.
#
# A comparison that others should repeat is better written to an *experiment file*. `sfumato compare comparison.toml
# --out DIR` runs it in parallel, goes on after an interruption, and writes the table, the charts and a page.
# `comparison.toml` beside this notebook is such a file, and `student.sh` runs it. `sfumato advise` tries all methods
# that keep a promise.
