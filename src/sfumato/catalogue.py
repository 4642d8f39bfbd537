"""What there is to choose from, one line each: name on the command line, file, class.

A new method, privacy model or measure is one file and one line here.
"""

from importlib import import_module
from typing import Any

from sfumato.errors import ParameterError, did_you_mean

__all__ = ["MEASURES", "METHODS", "MODELS", "measure_class", "method_class", "model_class"]

METHODS = {
    "seqanon": "sfumato.methods.trajectories.seqanon:SeqAnon",
    "seqanon-f": "sfumato.methods.trajectories.seqanon_f:SeqAnonF",
}

MODELS = {
    "km": "sfumato.privacy.km:KmAnonymity",
    "k-anonymity": "sfumato.privacy.k_anonymity:KAnonymity",
}

MEASURES = {
    "are": "sfumato.utility.queries:Are",
    "displacement": "sfumato.utility.generalization:Displacement",
    "distance-percentage": "sfumato.utility.generalization:DistancePercentage",
    "generalized": "sfumato.utility.generalization:GeneralizedLocations",
    "intact": "sfumato.utility.generalization:IntactLocations",
    "kl": "sfumato.utility.supports:KlDivergence",
    "label-size": "sfumato.utility.generalization:LabelSize",
    "patterns-preserved": "sfumato.utility.patterns:PatternsPreserved",
    "patterns-spurious": "sfumato.utility.patterns:PatternsSpurious",
    "subtrajectories": "sfumato.utility.supports:Subtrajectories",
}


def method_class(name: str) -> Any:
    """The class of a method."""
    return _load("method", METHODS, name)


def model_class(name: str) -> Any:
    """The class of a privacy model."""
    return _load("privacy model", MODELS, name)


def measure_class(name: str) -> Any:
    """The class of a measure."""
    return _load("measure", MEASURES, name)


def _load(what: str, table: dict[str, str], name: str) -> Any:
    if name not in table:
        raise ParameterError(f"no {what} is called {name!r}; {did_you_mean(name, table)}")
    module, _, attribute = table[name].partition(":")
    return getattr(import_module(module), attribute)
