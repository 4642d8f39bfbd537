"""Words of the library that pages show, such as titles of methods: looked up in the language of the reader.

`make messages` writes them into the catalogue of each language together with those of the templates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext_lazy

from sfumato.attacks import Audit, TableAudit
from sfumato.catalogue import ATTACKS, GENERATORS, MEASURES, METHODS, MODELS

__all__ = ["about", "library_words", "translated"]

_KINDS = (
    gettext_noop("table"),
    gettext_noop("transactions"),
    gettext_noop("mixed"),
    gettext_noop("trajectories"),
    gettext_noop("roads"),
    gettext_noop("hierarchy"),
    gettext_noop("taxonomy"),
    gettext_noop("workload"),
    gettext_noop("network"),
    gettext_noop("privacy policy"),
    gettext_noop("utility policy"),
    gettext_noop("constraints"),
    gettext_noop("workplaces"),
)
_COLUMNS = (  # roles and types
    gettext_noop("quasi-identifier"),
    gettext_noop("sensitive"),
    gettext_noop("person"),
    gettext_noop("identifier"),
    gettext_noop("items"),
    gettext_noop("other"),
    gettext_noop("trajectory"),
    gettext_noop("location"),
    gettext_noop("time"),
    gettext_noop("record"),
    gettext_noop("item"),
    gettext_noop("road"),
    gettext_noop("direction"),
    gettext_noop("interval"),
    gettext_noop("text"),
    gettext_noop("number"),
    gettext_noop("whole number"),
    gettext_noop("date"),
)
_SPANS = (  # of time, as Django writes them: its own Greek lacks them
    ngettext_lazy("%(num)d year", "%(num)d years", "num"),
    ngettext_lazy("%(num)d month", "%(num)d months", "num"),
    ngettext_lazy("%(num)d week", "%(num)d weeks", "num"),
    ngettext_lazy("%(num)d day", "%(num)d days", "num"),
    ngettext_lazy("%(num)d hour", "%(num)d hours", "num"),
    ngettext_lazy("%(num)d minute", "%(num)d minutes", "num"),
)
_TESTS = (
    gettext_noop("contains"),
    gettext_noop("equals"),
    gettext_noop("between"),
    gettext_noop("is missing"),
    gettext_noop("is not missing"),
)
_FIGURES = (
    gettext_noop("rows"),
    gettext_noop("values"),
    gettext_noop("columns"),
    gettext_noop("unit"),
    gettext_noop("clusters"),
    gettext_noop("visits"),
    gettext_noop("elements"),
    gettext_noop("distinct items"),
    gettext_noop("distinct locations"),
    gettext_noop("distinct roads"),
    gettext_noop("distinct sets"),
    gettext_noop("mean length"),
    gettext_noop("longest"),
    gettext_noop("empty records"),
    gettext_noop("generalized labels"),
    gettext_noop("quasi identifiers"),
    gettext_noop("times"),
    gettext_noop("intervals"),
    gettext_noop("known"),
    gettext_noop("unknown"),
    gettext_noop("names"),
    gettext_noop("network nodes"),
    gettext_noop("network roads"),
    gettext_noop("roads travelled"),
    gettext_noop("records by length"),
    gettext_noop("items by number of records"),
    gettext_noop("locations by number of records"),
    gettext_noop("roads by number of records"),
    gettext_noop("suppressed records"),
    gettext_noop("suppressed visits"),
    gettext_noop("suppressed items"),
    gettext_noop("suppressed occurrences"),
    gettext_noop("suppressed locations"),
    gettext_noop("added records"),
    gettext_noop("added visits"),
    gettext_noop("moved records"),
    gettext_noop("split records"),
    gettext_noop("untouched records"),
    gettext_noop("merges"),
    gettext_noop("largest cluster"),
    gettext_noop("generalized cells"),
    gettext_noop("generalized items"),
    gettext_noop("cluster labels"),
    gettext_noop("merged locations"),
    gettext_noop("split points"),
    gettext_noop("changes"),
    gettext_noop("groups"),
    gettext_noop("classes"),
    gettext_noop("smallest class"),
    gettext_noop("smallest support"),
    gettext_noop("smallest diversity"),
    gettext_noop("smallest group"),
    gettext_noop("largest distance"),
    gettext_noop("worst probability"),
    gettext_noop("violating classes"),
    gettext_noop("violating groups"),
    gettext_noop("violating patterns"),
    gettext_noop("violating sequences"),
    gettext_noop("violating sets"),
    gettext_noop("problematic pairs"),
    gettext_noop("unpublished items"),
    gettext_noop("spent"),
)
_PHASES = (
    gettext_noop("loading"),
    gettext_noop("reading"),
    gettext_noop("describing"),
    gettext_noop("unpacking"),
    gettext_noop("applying"),
    gettext_noop("writing"),
    gettext_noop("auditing"),
    gettext_noop("reporting"),
    gettext_noop("compiling"),
    gettext_noop("trying"),
    gettext_noop("drawing the charts"),
    gettext_noop("looking for what is lost"),
    gettext_noop("attacking it together with earlier releases"),
    gettext_noop("setting the PDF"),
    gettext_noop("adjusting"),
    gettext_noop("anonymizing clusters"),
    gettext_noop("assembling"),
    gettext_noop("building the prefix tree"),
    gettext_noop("changing"),
    gettext_noop("choosing visits"),
    gettext_noop("choosing"),
    gettext_noop("clustering"),
    gettext_noop("coding"),
    gettext_noop("exploring"),
    gettext_noop("generalizing each part"),
    gettext_noop("generalizing"),
    gettext_noop("generating"),
    gettext_noop("grouping"),
    gettext_noop("horizontal partitioning"),
    gettext_noop("labelling"),
    gettext_noop("merging clusters"),
    gettext_noop("organizing"),
    gettext_noop("partitioning"),
    gettext_noop("projecting"),
    gettext_noop("publishing"),
    gettext_noop("recoding items"),
    gettext_noop("recoding"),
    gettext_noop("refining"),
    gettext_noop("repairing across parts"),
    gettext_noop("searching"),
    gettext_noop("selecting"),
    gettext_noop("sorting"),
    gettext_noop("specializing"),
    gettext_noop("verifying"),
    gettext_noop("vertical partitioning"),
    gettext_noop("walking"),
)
_VERDICTS = (
    gettext_noop("holds"),
    gettext_noop("holds in part"),
    gettext_noop("does not hold"),
    gettext_noop("with the release"),
    gettext_noop("by guessing"),
    gettext_noop("without protection"),
    gettext_noop("success on average"),
)


def translated(text: Any) -> str:
    """A word of the library in the language of the reader; one that has no translation stays as it is.

    >>> translated("")
    ''
    """
    return gettext(str(text)) if text else ""


def about(declared: type) -> str:
    """The first paragraph of the description of a class, as one line."""
    return " ".join((declared.__doc__ or "").strip().partition("\n\n")[0].split())


def library_words() -> list[str]:
    """Titles, meanings and parameters of everything in the catalogue, each once."""
    return list(dict.fromkeys(word for word in _words() if word.strip()))


def _words() -> Iterator[str]:
    for table in (METHODS, MODELS, MEASURES, ATTACKS, GENERATORS):
        for name in table.built_in:
            declared = table.load(name)
            yield from (getattr(declared, field, "") for field in ("title", "meaning", "better", "unit", "idea"))
            if table is MODELS:
                yield about(declared)
            if table is GENERATORS:
                yield from (name.replace("-", " "), str(declared.__doc__).partition("\n")[0])
            yield from _parameters(declared)
    for audit in (Audit, TableAudit):
        yield from _parameters(audit)


def _parameters(declared: Any) -> Iterator[str]:
    for parameter in declared.parameters():
        yield parameter.name.replace("_", " ")
        yield parameter.help
