# %% [markdown]
# # A supermarket publishes its baskets
#
# A supermarket has the baskets of its customers. A person who saw a few things in a basket may find the one basket
# that has all of them, and reads the rest. This notebook shows how often that happens, publishes the baskets in two
# ways that both protect from it, and asks which of them still answers the question "what is bought together?".
#
# All baskets in it are generated. It needs `pip install 'sfumato[report]'`.

# %%
import os
import tempfile

import altair as alt
import polars as pl

import sfumato
from sfumato.data.queries import Query
from sfumato.generate import Baskets
from sfumato.mining import FrequentItemsets

alt.renderers.enable("svg")  # pictures that every viewer of notebooks shows
os.chdir(tempfile.mkdtemp())  # all files go to a folder of their own
SIZE = 3_000  # baskets; 500 are enough for a quick look

# %% [markdown]
# ## The baskets
#
# One row is one item of one basket. A hierarchy says which items lie on the same shelf.

# %%
sold = Baskets(records=SIZE, items=60, mean_size=5, patterns=80).make(seed=1)
shelves = sfumato.Taxonomy.balanced(sold.names, fanout=4)  # four items a shelf, four shelves an aisle
baskets = sfumato.read(sold.to_polars(), taxonomy=shelves)
baskets

# %% [markdown]
# ## How many baskets do a few items identify?
#
# The left picture shows the share of baskets that are unique to an attacker who knows one, two, three items of them.

# %%
risk = sfumato.audit(baskets, known=2)
print(risk.summary)
risk.chart()

# %% [markdown]
# ## Two ways to protect them
#
# Both protect from an attacker who knows up to *m* = 2 items of a basket, and both count to *k* = 5.
#
# - `apriori` *generalizes*: rare items become the shelf that they lie on, in every basket. Any two items match at
#   least five published baskets, or none.
# - `disassociate` *separates*: every item keeps its name, and baskets are cut into parts that can be put together in
#   many ways. For any two items of a basket, there is a way in which at least five baskets hold them.

# %%
ways = {"apriori": sfumato.AprioriAnon(k=5, m=2), "disassociate": sfumato.Disassociate(k=5, m=2)}
releases = {name: method.anonymize(baskets, seed=1) for name, method in ways.items()}
releases["apriori"]

# %%
releases["disassociate"]

# %% [markdown]
# The first rows of the two releases:

# %%
releases["apriori"].to_polars().head(4)

# %%
releases["disassociate"].to_polars().head(4)

# %% [markdown]
# ## What is bought together?
#
# We take the 25 pairs of items that are bought together most often, and ask each release how many baskets hold them.
# A label counts in equal parts for each item that it stands for. Parts of a separated basket count as if they were
# put together at random.

# %%
frequent = FrequentItemsets(top=25, min_length=2, max_length=2).mine(baskets)
rows = [
    {"release": name, "original": count, "answer": release.data.expected_count(Query(items=tuple(pair)))}
    for pair, _, count in frequent.rows()
    for name, release in releases.items()
]
answers = pl.DataFrame(rows)
top = int(answers["original"].max())
ends = pl.DataFrame({"original": [0, top], "answer": [0, top]})
line = alt.Chart(ends).mark_line(color="grey", strokeDash=[4, 4]).encode(x="original", y="answer")
dots = (
    alt.Chart(answers)
    .mark_circle(size=60, opacity=1)
    .encode(
        alt.X("original", title="baskets with the pair, original"),
        alt.Y("answer", title="answer of the release"),
        alt.Color("release", title=None),
    )
)
(line + dots).properties(width=420, height=320, title="Each dot is a pair; dots on the line are right")

# %%
answers.group_by("release").agg(
    mean_error=((pl.col("answer") - pl.col("original")).abs() / pl.col("original")).mean().round(3)
).sort("release")

# %% [markdown]
# On these data the separated baskets answer much better. They are no longer whole, though: a reader who needs whole
# baskets puts the parts together at random (`sfumato reconstruct`).
#
# ## Publish and check

# %%
releases["disassociate"].write("published", report="private.json")
print(sfumato.verify("published").to_polars().select("promise", "holds").rows())
print(sfumato.audit(baskets, against="published", report="private.json", seed=1).verdict)
