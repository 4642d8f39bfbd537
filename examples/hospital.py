# %% [markdown]
# # A hospital publishes patients with their diagnoses
#
# A hospital has a table: the age, the sex and the diagnoses of each patient. Researchers ask for it. An attacker may
# know the age and the sex of a neighbour, and one or two of the diagnoses. This notebook protects both together,
# measures what the table and the diagnoses lose, and publishes the release that balances the two.
#
# All patients in it are generated. It needs `pip install 'sfumato[report]'`.

# %%
import os
import tempfile

import altair as alt
import polars as pl

import sfumato
from sfumato.data.queries import Between, Query
from sfumato.generate import Mixed
from sfumato.privacy import KkmAnonymity

alt.renderers.enable("svg")  # pictures that every viewer of notebooks shows
os.chdir(tempfile.mkdtemp())  # all files go to a folder of their own
SIZE = 4_000  # patients; 500 are enough for a quick look

# %% [markdown]
# ## The table
#
# Each column has a role. *Quasi-identifiers* are what an attacker may know of a patient: here age and sex. The
# diagnoses are a set, and an attacker may know some of them, too. A hierarchy says which diagnoses belong together:
# `A1` and `A2` are of group `A`.

# %%
generated = Mixed(people=SIZE, codes=40, groups=8, mean_codes=2).make(seed=1)
people = sfumato.read(
    generated.to_polars().select("age", "sex", "diagnoses"),
    items="diagnoses",
    quasi_identifiers=["age", "sex"],
    taxonomy=generated.items.taxonomy,
)
people

# %% [markdown]
# ## How risky is it as it is?
#
# A patient whose values no other patient has is found at once by an attacker who knows these columns.

# %%
risk = sfumato.audit(people)
print(risk.summary)
risk.chart()

# %% [markdown]
# Age and sex alone are shared by many. With two diagnoses it is another matter. The verifier of the promise that we
# want counts how often it is broken:

# %%
promise = KkmAnonymity(k=5, m=2)
promise.check(people).measured

# %% [markdown]
# ## The promise
#
# *(k,k^m)-anonymity*: an attacker who knows the age and the sex of a patient, and up to *m* = 2 diagnoses, matches at
# least *k* = 5 patients. The methods differ in who pays. `r-first` keeps the table exact and generalizes the
# diagnoses. `t-first` does it the other way round. `rum-bound` merges groups of patients as long as the table loses
# no more than `delta`, because larger groups help the diagnoses; `transaction` is the method that recodes the
# diagnoses of a group.
#
# `ncp` is what the table loses, and `ul` is what the diagnoses lose. Both lie between 0 (nothing) and 1 (everything).

# %%
candidates = {
    "r-first": sfumato.RFirst(k=5, m=2),
    "t-first": sfumato.TFirst(k=5, m=2),
    "rum-bound": sfumato.RumBound(k=5, m=2, delta=0.3),
    "rum-bound with coat": sfumato.RumBound(k=5, m=2, delta=0.3, transaction="coat"),
}
beside = sfumato.compare(people, candidates, ["ncp", "ul"])
losses = beside.to_polars().pivot(on="measure", index="candidate", values="value")
losses.with_columns(pl.col("ncp", "ul").round(3))

# %%
alt.Chart(losses).mark_circle(size=120, opacity=1).encode(
    alt.X("ncp", title="loss of the table (ncp)", scale=alt.Scale(domain=[0, 1])),
    alt.Y("ul", title="loss of the diagnoses (ul)", scale=alt.Scale(domain=[0, 1])),
    alt.Color("candidate", title=None, sort=None),
).properties(width=360, height=300, title="Nearer to the lower left corner is better")

# %% [markdown]
# ## Publish and check
#
# The hospital chooses `rum-bound` with `coat`. Ages become ranges, and rare diagnoses share a label.

# %%
release = beside.releases["rum-bound with coat"]
release.write("published", report="private.json")
release.to_polars().sample(6, seed=4)

# %%
checked = sfumato.verify("published", original=people, report="private.json")
print(checked.to_polars().select("promise", "holds").rows())
print(sfumato.audit(people, against="published", report="private.json", seed=1).verdict)

# %% [markdown]
# ## Are the answers of the researchers still right?
#
# How many patients of each age have the most frequent diagnosis? The release gives an expected number: a label counts
# in equal parts for each value that it stands for. The shape over the ages is still there, but the numbers are too
# low: a frequent diagnosis shares its label with rare ones, and the label counts the same for all of them.
# Researchers who need this one diagnosis should say so before the data are published: a utility policy states which
# items may share a label.

# %%
frequent = people.items.to_polars()["item"].mode().sort()[0]
spans = {f"{low}-{low + 9}": Query(items=(frequent,), where={"age": Between(low, low + 9)}) for low in range(0, 90, 10)}
answers = pl.DataFrame(
    [
        {"age": span, "data": name, "patients": data.expected_count(query)}
        for span, query in spans.items()
        for name, data in (("original", people), ("published", release.data))
    ]
)
alt.Chart(answers).mark_bar().encode(
    alt.X("age", sort=None), alt.XOffset("data"), alt.Y("patients"), alt.Color("data", title=None)
).properties(width=460, height=240, title=f"Patients with {frequent}, by age")
