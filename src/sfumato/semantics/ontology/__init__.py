"""The ontology of movements: its terms, the checks of data against it, and its pages on the site.

`baquara.ttl` holds the ontology, `shapes.ttl` the SHACL shapes of data, and `checks/` the same checks as SPARQL
queries.
"""
