"""Which hierarchy the figures of a comparison are computed with, in words."""

from __future__ import annotations

from sfumato.catalogue import MEASURES
from sfumato.errors import listed
from sfumato.experiments.definition.experiment import Experiment
from sfumato.experiments.definition.knowledge_sources import HIERARCHIES, source_name

__all__ = ["hierarchy_of_figures"]


def hierarchy_of_figures(experiment: Experiment) -> str:
    """A sentence about the measures that read a hierarchy; empty where all configurations have the same one."""
    owned = {name for configuration in experiment.configurations for name in configuration.own_hierarchies}
    figures = [
        figure.name
        for figure in experiment.figures
        if figure.hierarchy == "experiment" and MEASURES.choose(figure.measure).reads_hierarchy
    ]
    if not owned or not figures:
        return ""
    sources = [_source(experiment, name) for name in HIERARCHIES if name in owned]
    return (
        f"{listed(figures)}: computed with {' and '.join(sources)}, also where a configuration has a hierarchy of its "
        "own, so that the figures of configurations can be compared"
    )


def _source(experiment: Experiment, name: str) -> str:
    folder = experiment.file.parent
    declared = getattr(experiment.data, name)
    if declared is not None:
        return f"the {name} of [data] ({source_name(getattr(declared, 'meaning', declared), folder)})"
    if name in experiment.measured_with:
        return f"{source_name(experiment.measured_with[name], folder)}, the only {name} that configurations declare"
    return f"no {name}, because [data] declares none and the configurations have different ones"
