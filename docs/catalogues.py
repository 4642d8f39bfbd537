"""The tables of methods, privacy models, measures and attacks in docs/*.md.

``python -m docs.catalogues`` writes them between their two marks; a test fails where a table is out of date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sfumato.catalogue import ATTACKS, MEASURES, METHODS, MODELS

__all__ = ["PAGES", "with_tables"]

HERE = Path(__file__).parent
_MARKS = re.compile(r"(?s)(<!-- catalogue: (\w+) -->\n).*?(<!-- end of catalogue -->)")


def methods() -> Iterator[tuple[str, ...]]:
    yield ("method", "data", "promise", "needs", "what it does", "paper")
    for name in METHODS.built_in:
        method = METHODS.load(name)
        conditions = [f"`{promise}` if `{condition}`" for promise, condition in method.promises_if.items()]
        promises = ", ".join([*(f"`{promise}`" for promise in method.promises), *conditions])
        needs = ", ".join(" or ".join(needs).replace("_", " ") for needs in method.requirements())
        yield (f"`{name}`", method.kind, promises, needs, _sentence(method), method.paper)


def models() -> Iterator[tuple[str, ...]]:
    yield ("privacy model", "data", "promise", "kept by")
    for name in MODELS.built_in:
        model = MODELS.load(name)
        yield (f"`{name}`", ", ".join(model.kinds), _sentence(model), "; ".join(_keepers(name)))


def measures() -> Iterator[tuple[str, ...]]:
    yield ("measure", "data", "meaning", "range", "better")
    for name in MEASURES.built_in:
        measure = MEASURES.load(name)
        meaning = measure.meaning[0].upper() + measure.meaning[1:] + "."
        yield (f"`{name}`", ", ".join(measure.kinds), _plain(meaning), measure.range_text(), measure.better)


def attacks() -> Iterator[tuple[str, ...]]:
    yield ("attack", "data", "the attacker", "on")
    for name in ATTACKS.built_in:
        attack = ATTACKS.load(name)
        on = "a release" if attack.against else "a file or a release"
        yield (f"`{name}`", ", ".join(attack.kinds), _plain(attack.idea), on)


def _keepers(model: str) -> Iterator[str]:
    """The methods that keep a promise; those that keep it under one condition stand together."""
    methods: dict[str, list[str]] = {"": []}
    for name in METHODS.built_in:
        method = METHODS.load(name)
        if model in method.possible_promises():
            methods.setdefault(method.promises_if.get(model, ""), []).append(f"`{name}`")
    for condition, names in filter(lambda group: group[1], methods.items()):
        yield ", ".join(names) + (f" if `{condition}`" if condition else "")


PAGES = {"methods": methods, "models": models, "measures": measures, "attacks": attacks}


def with_tables(text: str) -> str:
    """A page with its tables as the code declares them."""
    return _MARKS.sub(lambda marks: f"{marks[1]}\n{_table(list(PAGES[marks[2]]()))}\n{marks[3]}", text)


def _sentence(declared: type) -> str:
    """The first sentence of a docstring."""
    return _plain(" ".join((declared.__doc__ or "").partition("\n\n")[0].split()))


def _plain(text: str) -> str:
    return re.sub(r"(?<!`)([*<>|])(?!`)", r"\\\1", text)


def _table(rows: list[tuple[str, ...]]) -> str:
    head, *body = rows
    lines = [head, tuple("---" for _ in head), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    for name in PAGES:
        path = HERE / f"{name}.md"
        path.write_text(with_tables(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
