"""Frequent subgraphs of one large graph (GraMi; Elseidy et al., 2014)."""
