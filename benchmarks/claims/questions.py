"""The papers' questions about a generated city of 10,000 people, each in seconds.

The movement has the true stops, finer stops and moves without positions.  A question is a description in
`examples/questions`, answered as `sfumato kb query` answers it; the queries of the papers are SPARQL as it stands in
`tests/papers/baquara`, given to the store.  Names of places are those of the city, and the peak is the most visited
one.  A query of the papers that takes more than LIMIT_PAPERS_S seconds is stopped and has no figure.  Seconds are those
of the processor, in all processes together.
"""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Judged

PEOPLE = 10_000
LIMIT_S, LIMIT_MEDIAN_S = 60.0, 10.0
LIMIT_PAPERS_S = 60.0
ROOT = Path(__file__).parents[2]
QUESTIONS = ROOT / "examples" / "questions"
PAPERS = ROOT / "tests" / "papers" / "baquara"
QUERIES = (
    "b13_query1",
    "b13_query2",
    "b13_market_first_measures",
    "b13_groups",
    "b15_query1",
    "b15_query2",
    "b15_query2_tourists",
    "b15_query3",
    "b15_facet_rollup",
)
PEAK = """PREFIX bq: <http://www.seek-project.eu/Baquara02#>
PREFIX dbo: <http://dbpedia.org/ontology/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?label WHERE {
  { SELECT ?peak (COUNT(?stop) AS ?stops) WHERE { ?peak a dbo:Mountain . ?stop bq:visits ?peak } GROUP BY ?peak }
  ?peak rdfs:label ?label FILTER(LANG(?label) = "pt")
}
ORDER BY DESC(?stops) ?label LIMIT 1"""
CASES = [{"people": people} for people in (200, PEOPLE)]


def measure(case):
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = time.perf_counter()
        triples = build(folder, case["people"])
        seconds = round(time.perf_counter() - start, 1)
        with KnowledgeBase.open(folder / "kb") as base:
            peak = base.answer(PEAK).frame.item()
            taken = {path.stem: asked(base, path, peak) for path in sorted(QUESTIONS.glob("*.toml"))}
            papers = {name: queried(base, name, peak) for name in QUERIES}
    return {
        "people": case["people"],
        "triples": triples,
        "build seconds": seconds,
        "questions": len(taken),
        "median seconds": statistics.median(taken.values()),
        "slowest seconds": max(taken.values()),
        "seconds": listed(taken),
        "papers' queries answered": sum(value is not None for value in papers.values()),
        "papers' queries, seconds": listed(papers),
    }


def listed(taken):
    return ", ".join(f"{name} {'stopped' if value is None else value}" for name, value in taken.items())


def build(folder, people):
    """A knowledge base of the city and the true movement; returns the number of triples."""
    from sfumato.generate import Posts
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
    from sfumato.semantics.queries.true_movement import home_triples, true_movement

    city = Posts(people=people).make(seed=1)
    city.write_city(folder / "city")
    (folder / "homes.nt").write_text(home_triples(city), encoding="utf-8")
    true_movement(city, positions=False).write(folder / "movement")
    with KnowledgeBase.create(folder / "kb") as base:
        for name in ("regions", "places", "events"):
            base.load([folder / "city" / f"{name}.csv"], mapping=folder / "city" / f"{name}.toml")
        base.load([folder / "city" / "classes.ttl", folder / "homes.nt", folder / "movement"])
        return len(base)


def asked(base, path, peak):
    """The seconds that a question takes."""
    import tomllib

    from sfumato.semantics.queries.answering import answer_question
    from sfumato.semantics.queries.question_files import question_of

    table = tomllib.loads(path.read_text("utf-8").replace("Pico do Farol", peak))
    return timed(lambda: answer_question(base, question_of(table)))


def queried(base, name, peak):
    """The seconds that a query of the papers takes about the city; None if it was stopped."""
    sparql = (PAPERS / f"{name}.rq").read_text("utf-8")
    for theirs, ours in (("Corcovado", peak), ("Rio de Janeiro", "Porto Claro"), ("Brazil", "Litorânia")):
        sparql = sparql.replace(f'"{theirs}"', f'"{ours}"')
    return timed(lambda: base.answer(sparql, timeout_s=LIMIT_PAPERS_S))


def timed(work):
    from sfumato.errors import DataError

    start = processor_seconds()
    try:
        work()
    except DataError:
        return None
    return round(processor_seconds() - start, 2)


def processor_seconds():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def judge(rows):
    return [
        Judged(
            f"{row['people']:,} people: {row['questions']} questions, slowest {row['slowest seconds']} s (at most"
            f" {LIMIT_S:.0f}), median {row['median seconds']} s (at most {LIMIT_MEDIAN_S:.0f})",
            row["slowest seconds"] <= LIMIT_S and row["median seconds"] <= LIMIT_MEDIAN_S,
        )
        for row in rows
    ]
