"""The charts of an experiment file, and what is claimed about them."""

from __future__ import annotations

from typing import Any

from sfumato.errors import did_you_mean
from sfumato.experiments.definition.experiment import Better, Chart, Configuration, Expectation, Figure, Vary
from sfumato.experiments.definition.sections import Section

__all__ = ["read_charts"]

_SECONDS = ("seconds", "seconds.publishing", "seconds.verifying", "seconds.measuring")
_CHART = ("title", "y", "label", "of", "x_scale", "y_scale", "claim", "expects")
_KINDS = ("ordering", "equal", "monotone", "at_least", "at_most")
_EXPECTS = (*_KINDS, "better", "factor", "within", "of", "from", "to", "claim")


def read_charts(
    top: Section, vary: Vary | None, configurations: tuple[Configuration, ...], figures: tuple[Figure, ...]
) -> tuple[Chart, ...]:
    """The charts as they are asked for; one for each measure and one for the seconds if none is.

    One configuration alone has nothing to be compared with: a table and histograms say more.
    """
    titles = {figure.name: figure.title for figure in figures} | {"seconds": "seconds"}
    if "chart" not in top and vary is None and len(configurations) == 1:
        return ()
    if "chart" not in top:
        return tuple(Chart(title=_sentence(title), y=name, label=title) for name, title in titles.items())
    return tuple(
        _chart(Section(top.file, f"chart {number}", values, _CHART), vary, configurations, figures, titles)
        for number, values in enumerate(top.tables("chart"), start=1)
    )


def _chart(
    section: Section,
    vary: Vary | None,
    configurations: tuple[Configuration, ...],
    figures: tuple[Figure, ...],
    titles: dict[str, str],
) -> Chart:
    y = section.get("y", str)
    known = (*titles, *_SECONDS)
    # phases and counts are known once a run has named them
    if y not in known and not (y.startswith(("seconds.", "counts.")) and y.partition(".")[2]):
        raise section.error(f"no figure of this experiment is called {y!r}; {did_you_mean(y, known)}")
    log_x = section.choice("x_scale", ("linear", "log"), "linear") == "log"
    if log_x and (vary is None or not all(_is_number(value) and value > 0 for value in vary.values)):
        raise section.error("x_scale = 'log' needs a varying parameter with numbers above 0")
    label = section.get("label", str, titles.get(y, _plain(y)))
    names = tuple(made.name for made in configurations)
    of = section.texts("of", names)
    _require_names(section, of, names)
    if not of:
        raise section.error("of must name at least one configuration, or be left out")
    better = next((figure.better for figure in figures if figure.name == y), None)
    return Chart(
        title=section.get("title", str, _sentence(label)),
        y=y,
        label=label,
        of=of if "of" in section else (),
        log_x=log_x,
        log_y=section.choice("y_scale", ("linear", "log"), "linear") == "log",
        claim=section.get("claim", str, ""),
        expects=tuple(
            _expectation(
                Section(section.file, f"{section.where}, expects", values, _EXPECTS),
                vary,
                of,
                "lower" if y.startswith("seconds") else better,
            )
            for values in section.tables("expects")
        ),
    )


def _expectation(section: Section, vary: Vary | None, names: tuple[str, ...], better: Better | None) -> Expectation:
    said = [kind for kind in _KINDS if kind in section]
    if not said or (len(said) > 1 and set(said) != {"at_least", "at_most"}):
        raise section.error(
            f"wanted one of {', '.join(_KINDS[:-2])}, and at_least or at_most, found {len(said) or 'none'}"
        )
    common: dict[str, Any] = {"claim": section.get("claim", str, "")}
    for role, name in (("start", "from"), ("end", "to")):
        common[role] = section.get(name, float, None)
        if name in section and (vary is None or not all(_is_number(value) for value in vary.values)):
            raise section.error(f"{name} needs a varying parameter with numbers")
    for name, kind in (("better", "ordering"), ("factor", "ordering"), ("within", "equal")):
        if name in section and said != [kind]:
            raise section.error(f"{name} belongs to {kind}; leave it out")
    if said[0] in ("ordering", "equal") and "of" in section:
        raise section.error("of belongs to monotone, at_least and at_most; leave it out")
    if said == ["ordering"]:
        return _ordering(section, names, better, common)
    if said == ["equal"]:
        return _equal(section, names, common)
    of = section.texts("of", names)
    _require_names(section, of, names)
    if said == ["monotone"]:
        if vary is None or len(vary.values) < 2:
            raise section.error("monotone needs a varying parameter with at least two values")
        direction = section.choice("monotone", ("rising", "falling"))
        return Expectation("monotone", of, direction=direction, **common)
    bounds = {name: section.get(name, float, None) for name in ("at_least", "at_most")}
    return Expectation("bounds", of, **bounds, **common)


def _ordering(section: Section, names: tuple[str, ...], better: Better | None, common: dict[str, Any]) -> Expectation:
    order = _several(section, "ordering", "at least two configurations, the best first, each once", names)
    best = section.choice("better", ("lower", "higher"), better)
    if best is None:
        raise section.error("better is required for a count: 'lower' or 'higher'")
    factor = section.get("factor", float, 1.0)
    if factor < 1:
        raise section.error(f"factor must be a number of at least 1, got {factor}")
    return Expectation("ordering", order, better=best, factor=float(factor), **common)


def _equal(section: Section, names: tuple[str, ...], common: dict[str, Any]) -> Expectation:
    alike = _several(section, "equal", "at least two configurations, each once", names)
    within = section.get("within", float, 0.0)
    if within < 0:
        raise section.error(f"within must be a share of at least 0, got {within}")
    return Expectation("equal", alike, within=float(within), **common)


def _several(section: Section, kind: str, wanted: str, names: tuple[str, ...]) -> tuple[str, ...]:
    several = section.texts(kind)
    if len(several) < 2 or len(set(several)) < len(several):
        raise section.error(f"{kind} must name {wanted}")
    _require_names(section, several, names)
    return several


def _require_names(section: Section, wanted: tuple[str, ...], names: tuple[str, ...]) -> None:
    for name in wanted:
        if name not in names:
            raise section.error(f"no configuration is called {name!r}; {did_you_mean(name, names)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def _plain(figure: str) -> str:
    """A phase or a count in words.

    >>> _plain("seconds.verifying"), _plain("counts.suppressed_visits")
    ('seconds of verifying', 'suppressed visits')
    """
    return figure.removeprefix("counts.").replace("seconds.", "seconds of ").replace("_", " ")
