"""The ontology of movements: its terms, the checks of data against it, and its pages on the site.

`baquara.ttl` holds the ontology, `shapes.ttl` the SHACL shapes of data, and `checks/` the same checks as SPARQL
queries.  The terms are those of R. Fileto et al., "Baquara: a holistic ontological framework for movement analysis
using linked data", ER 2013, and "The Baquara2 knowledge-based framework for semantic enrichment and analysis of
movement data", Data & Knowledge Engineering 98, 2015.
"""
