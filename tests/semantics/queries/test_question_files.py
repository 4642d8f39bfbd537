"""Questions in TOML: what is wrong is said in one sentence with the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.errors import FileError, ParameterError
from sfumato.semantics.queries.question_files import question_of, read_question
from sfumato.semantics.queries.segment_category import AnnotationCondition, Relative, SegmentCategory
from sfumato.semantics.vocabulary import BQ

STOP = "[segment]\ntype = 'STOP'\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("segment = ", "wanted TOML"),
        ("answer = 'segment'", "wanted a table [segment], found none"),
        ("[segment]\ntipe = 'STOP'", "no key is called 'tipe'"),
        ("[segment]\ntype = 'STOPP'", "type must be one of HISTORY, TRAIL, TRAJ, STOP, MOVE"),
        ("[segment]\nperson = 'bq:Euro pean'", "wanted an IRI"),
        ("[segment]\nperson = 'nowhere:European'", "no prefix is called 'nowhere'"),
        ("[segment]\nperson = 'bq:x> ?p ?o . ?s ?p <http://a'", "wanted an IRI"),
        ("[segment]\nname = 'a) (b'", "wanted a name of letters and digits"),
        (STOP + "annotation = { value = 7 }", "value must be an IRI"),
        (STOP + "least_minutes = 'ten'", "least_minutes must be a number of at least 0"),
        (STOP + "least_minutes = 9\nmost_minutes = 3", "least_minutes must be at most most_minutes"),
        (STOP + "weekdays = ['sunnday']", "weekdays must be one of"),
        (STOP + "to_hour = 25", "to_hour must be a number of at least 0 and at most 24"),
        (STOP + "relative = { type = 'STOP' }", "wanted a relation, found none"),
        (STOP + "relative = { relation = 'after', type = 'STOP' }", "relation must be one of"),
        (STOP + "relative = 3", "relative: wanted tables, found another value"),
        (STOP + "[[companion]]\nat_most_m = -1", "at_most_m must be a number of at least 0"),
        (STOP + "[[companion]]\nperson = 'other'", "wanted at_most_m, least_shared_minutes or begins_within_minutes"),
        ("[prefixes]\na = 'b c'\n" + STOP, "prefixes: a must be an IRI"),
        (STOP + "name = 's'\nrelative = { relation = 'child', name = 's' }", "the name 's' is used twice"),
        (STOP + "relative = { relation = 'child', name = 's', absent = true }", "gives no column"),
        ("answer = 'person'\n" + STOP + "name = 's'", "names of columns need the answer 'segment'"),
    ],
)
def test_what_is_wrong_is_one_sentence(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "question.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        read_question(path)
    assert problem in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_table_is_the_same_as_classes() -> None:
    table = {
        "segment": {
            "type": "STOP",
            "relative": {"relation": "child", "annotation": {"property": "bq:visits", "value": "bq:Bar"}},
        }
    }
    bar = AnnotationCondition(property=BQ + "visits", value=BQ + "Bar")
    inner = Relative(relation="child", segment=SegmentCategory(annotations=(bar,)))
    assert question_of(table).segment == SegmentCategory(type="STOP", relatives=(inner,))


def test_classes_refuse_wrong_fields() -> None:
    with pytest.raises(ParameterError, match="property must be an IRI"):
        AnnotationCondition(property="visits")
    with pytest.raises(ParameterError, match="annotations must be a tuple of AnnotationCondition"):
        SegmentCategory(annotations=["bar"])  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="text stands alone"):
        AnnotationCondition(text="Beach", label="Beach")
