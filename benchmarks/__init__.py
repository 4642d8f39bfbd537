"""Every claim about speed and size, measured: `python -m benchmarks [NAME ...]`.

A claim is one file in `claims/` and one name in this list.  The file holds

- its docstring, the claim in words;
- ``CASES``, the settings to measure, each in a process of its own, so that peak memory is honest;
- ``measure(case) -> row``, the figures of one case;
- ``judge(rows) -> [Judged]``, what the figures say about the claim.
"""

CLAIMS = (
    "seqanon",
    "twin",
    "seqanon_family",
    "rounds",
    "sparse_speed",
    "soa",
    "clusters",
    "linear",
    "verify",
    "larger",
    "spark",
    "fifty_million",
    "threatid",
    "owners",
    "owners_twin",
    "audit",
    "cores",
    "table_risk",
    "locations",
    "cold",
    "loading",
    "compare",
    "city",
    "traffic",
    "map_matching",
    "segmentation",
    "sequences",
    "itemsets",
    "subgraphs",
    "bf_p2ka",
    "icba",
    "ngrams",
    "items",
    "tables",
    "local",
    "mixed",
    "disassociate",
    "cast",
    "attacks",
    "linking",
    "knowledge",
    "questions",
    "movements",
    "web_grid",
    "workbench",
    "six_clicks",
    "studies_filter",
    "studies_processes",
)
BY_CHOICE = ("fifty_million",)  # measured only where they are named: they take very long
