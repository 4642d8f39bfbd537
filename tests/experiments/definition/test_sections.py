"""Tables of an experiment file: what is declared is checked, documented, and written as it was read."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from sfumato.errors import FileError, ParameterError
from sfumato.experiments.definition import chart_tables, file_tables, knowledge_sources
from sfumato.experiments.definition.field_types import Fields, Tables, TextFields, Texts, Values, WholeNumbers
from sfumato.experiments.definition.file_tables import Data, VaryTable
from sfumato.experiments.definition.knowledge_sources import TaxonomySource
from sfumato.experiments.definition.sections import Section, SectionError, read_section
from sfumato.params import param

DOCS = Path(__file__).parents[3] / "docs" / "comparing.md"
DECLARED = [
    declared
    for module in (chart_tables, file_tables, knowledge_sources)
    for name in module.__all__
    if isinstance(declared := getattr(module, name), type) and issubclass(declared, Section)
]


@dataclass(frozen=True, kw_only=True)
class Toy(Section):
    """A toy."""

    spelled: ClassVar[dict[str, str]] = {"start": "from"}

    file: Path | None = param(None, help="a file")
    name: str = param("toy", help="a name")
    start: float = param(1.0, at_least=0, help="where it starts")
    tree: TaxonomySource | None = param(None, help="a tree")
    scale: str = param("linear", choices=("linear", "log"), help="a scale")


def test_fields_are_spelled_as_in_the_file_and_paths_lie_beside_it() -> None:
    toy = read_section(Toy, Path("/x/toy.toml"), "[toy]", {"file": "a.csv", "from": 2, "tree": "tree.csv"})
    assert (toy.file, toy.start) == (Path("/x/a.csv"), 2.0)
    assert toy.tree is not None
    assert toy.tree.meaning == Path("/x/tree.csv")
    assert toy.to_json()["from"] == 2.0
    assert Toy.from_json(json.loads(json.dumps(toy.to_json()))) == toy


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (3, "[toy]: wanted a table, found 3"),
        ({"nam": "x"}, "[toy]: no field is called 'nam'; did you mean 'name'?"),
        ({"name": " "}, "[toy]: name must be a text, got an empty one"),
        ({"name": True}, "[toy]: name must be a text, got true"),
        ({"file": 5}, "[toy]: file must be a path, got 5"),
        ({"from": -1}, "[toy]: from must be a number of at least 0, got -1"),
        ({"from": {}}, "[toy]: from must be a number of at least 0, got a table"),
        ({"scale": "cubic"}, "[toy]: scale must be 'linear' or 'log', got 'cubic'"),
        ({"tree": 5}, "[toy]: tree must be a file or { fanout = ... }, got 5"),
        ({"tree": {"fanout": 1}}, "[toy], tree: fanout must be a whole number of at least 2, got 1"),
    ],
)
def test_a_refusal_names_file_table_and_field(values: Any, sentence: str) -> None:
    with pytest.raises(FileError) as refused:
        read_section(Toy, Path("toy.toml"), "[toy]", values)
    assert str(refused.value) == f"toy.toml: {sentence}"


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Texts, [["a"], []], [[1], "a", {}]),
        (WholeNumbers, [[0, 3]], [[], [-1], [True], [1.0], 3]),
        (Values, [[1, 2.0], ["a"], [True]], [[], [1, "a"], [None], [[]]]),
        (Tables, [{}, [{}, {}]], [3, "a"]),
        (Fields, [{}, {"a": 1}], [[], 3, {1: 2}]),
        (TextFields, [{"a": "b"}], [{"a": 1}, []]),
    ],
)
def test_types_of_fields(kind: Any, good: list[Any], bad: list[Any]) -> None:
    for value in good:
        read = kind.read(value)
        assert kind.read(read) == read
        assert kind.read(json.loads(json.dumps(read.to_json()))) == read
    assert [kind.read(value) for value in bad] == [None] * len(bad)


def test_what_does_not_belong_together_is_refused_without_a_file_too() -> None:
    with pytest.raises(SectionError, match="wanted one of file and generate, found neither"):
        Data()
    with pytest.raises(SectionError, match="parameters belongs to generate, not to a file; leave it out"):
        Data(file=Path("x.csv"), arguments=Fields(a=1))
    with pytest.raises(ParameterError, match="Data: sample must be a whole number of at least 1"):
        Data(file=Path("x.csv"), sample=0)
    with pytest.raises(SectionError, match="end is required: a number"):
        VaryTable(parameter="k", start=1)


@pytest.mark.parametrize("declared", DECLARED, ids=lambda declared: declared.__name__)
def test_every_field_is_documented(declared: type[Section]) -> None:
    page = re.sub(r"^```.*?^```$", "", DOCS.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    named = {name for code in re.findall(r"`([^`]+)`", page) for name in re.findall(r"\w+", code)}
    assert set(declared.field_names()) <= named
    assert declared.__doc__ is not None
    for parameter in declared.parameters():
        assert f"{parameter.name} : " in declared.__doc__
