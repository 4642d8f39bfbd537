"""Movement segment and pattern categories compiled to SPARQL that a person can read.

The answer has distinct rows.  Two relatives of a segment may be the same segment, if it fulfils the conditions of
both.  Stores follow the order of the lines, more or less: what a segment is annotated with comes first, then its
relatives, and last its type, which most segments have in common.  Each condition is an inner query, which begins with
the few things of a class, so that no store tests the class for every segment.
"""

from __future__ import annotations

from sfumato.semantics.queries.pattern_category import MAIN, Companion, PatternCategory
from sfumato.semantics.queries.segment_category import (
    WEEKDAYS,
    AnnotationCondition,
    EventCondition,
    Relative,
    SegmentCategory,
)
from sfumato.semantics.queries.sparql_text import SparqlText
from sfumato.semantics.queries.terms import literal_term, number_term
from sfumato.semantics.vocabulary import SEGMENT_CLASSES

__all__ = ["compile_members", "compile_pattern"]

_PATHS = {
    "father": "{0} bq:father {1} .",
    "ancestor": "{0} bq:father+ {1} .",
    "child": "{1} bq:father {0} .",
    "descendant": "{1} bq:father+ {0} .",
    "next": "{0} bq:next {1} .",
    "prev": "{0} bq:prev {1} .",
}


def compile_pattern(pattern: PatternCategory, *, tables: bool = False) -> str:
    """The SPARQL query for the segments, moving objects or persons of a pattern category.

    tables : whether statements are joined as tables, which is faster for many segments and longer to read.
    """
    text = SparqlText(tables=tables)
    main = f"?{pattern.segment.name or MAIN}"
    _segment(text, pattern.segment, main)
    columns = [main, *(f"?{name}" for name in pattern.segment.columns() if f"?{name}" != main)]
    for companion in pattern.companions:
        names = companion.columns()
        if names:
            _companion(text, companion, main)
            columns += [f"?{name}" for name in names]
        else:
            with text.group("FILTER EXISTS"):
                _companion(text, companion, main)
    if pattern.answer != "segment":
        columns = [f"?{pattern.answer}"]
        text.uses("bq")
        text.add(
            f"{main} {'bq:isOfMO' if pattern.answer == 'object' else 'bq:isOfMO/bq:hasMovingEntity'} {columns[0]} ."
        )
    return text.query(columns)


def compile_members(category: SegmentCategory, facts: tuple[str, ...]) -> str:
    """The query for the segments of a category with facts about them: begin, end, person, object, wkt.

    Made for speed: statements are joined as tables, and the rows have no order.
    """
    text = SparqlText(tables=True)
    main = f"?{category.name or MAIN}"
    _segment(text, category, main)
    columns = [main, *(f"?{name}" for name in category.columns() if f"?{name}" != main)]
    return text.query(columns + [text.fact(main, fact) for fact in facts], ordered=False)


def _segment(text: SparqlText, category: SegmentCategory, segment: str, *, bound: bool = False) -> None:
    """The lines that a segment of the category fulfils.  bound : whether a line before restricts the segment."""
    for event in category.events:
        _event(text, event, segment)
    for condition in category.annotations:
        _annotation(text, condition, segment)
    bound = bound or _is_restricted(category)
    for relative in sorted(category.relatives, key=lambda relative: relative.absent):
        if relative.absent:
            with text.group("FILTER NOT EXISTS"):
                _relative(text, relative, segment, bound=True)
        else:
            _relative(text, relative, segment, bound=bound)
            bound = True
    _person(text, category, segment)
    _kind(text, category, segment)
    _times(text, category, segment)


def _is_restricted(category: SegmentCategory) -> bool:
    """Whether the annotations or events of a category, or of its relatives, leave few segments."""
    conditions = [condition for condition in category.annotations if condition.text is None]
    inner = (_is_restricted(relative.segment) for relative in category.relatives if not relative.absent)
    return bool(conditions or category.events) or any(inner)


def _kind(text: SparqlText, category: SegmentCategory, segment: str) -> None:
    text.uses("bq")
    if category.type is None:
        text.table(f"{segment} bq:level {text.fresh('level')} .", segment)  # every segment has a level
    elif category.type in SEGMENT_CLASSES:
        text.table(f"{segment} a {text.iri(SEGMENT_CLASSES[category.type])} .", segment)
    else:
        text.uses("rdfs")
        text.table(f"{segment} a/rdfs:subClassOf* {text.iri(category.type)} .", segment)
    if category.position == "first":
        text.table(f"{segment} bq:ord 1 .", segment)
    elif category.position == "last":
        text.add(f"FILTER NOT EXISTS {{ {segment} bq:next {text.fresh('later')} }}")


def _person(text: SparqlText, category: SegmentCategory, segment: str) -> None:
    text.uses("bq")
    if category.person is not None:
        person = text.learn(segment, "person")
        with text.block(segment, person):
            _of_object(text, segment, "bq:hasMovingEntity", person, category.person)
    if category.means is not None:
        with text.block(segment):
            _of_object(text, segment, "bq:hasMonitoringMeans", text.fresh("means"), category.means)


def _of_object(text: SparqlText, segment: str, relation: str, variable: str, iri: str) -> None:
    """The moving object of the segment has such a thing."""
    moving = text.fresh("object")
    with text.block(moving, variable):
        _is_a(text, variable, iri)
        text.add(f"{moving} {relation} {variable} .")
    text.table(f"{segment} bq:isOfMO {moving} .", segment, moving)


def _is_a(text: SparqlText, variable: str, iri: str) -> None:
    """The thing is this one, or an instance of this class, or a class under it."""
    text.uses("rdf", "rdfs")
    with text.block(variable):
        text.add(f"{variable} rdf:type?/rdfs:subClassOf* {text.iri(iri)} .")


def _times(text: SparqlText, category: SegmentCategory, segment: str) -> None:
    limits = [(">=", category.least_minutes), ("<=", category.most_minutes)]
    if any(limit is not None for _, limit in limits):
        minutes = text.fresh("minutes")
        text.add(f"{segment} bq:hasDuration {minutes} .")
        tests = [f"{minutes} {sign} {number_term(limit)}" for sign, limit in limits if limit is not None]
        text.add(f"FILTER({' && '.join(tests)})")
    limits = [(">=", category.from_hour), ("<", category.to_hour)]
    if any(limit is not None for _, limit in limits):
        begin = text.fact(segment, "begin")
        clock = f"HOURS({begin}) * 3600 + MINUTES({begin}) * 60 + SECONDS({begin})"
        tests = [f"{clock} {sign} {number_term(limit * 3600)}" for sign, limit in limits if limit is not None]
        text.add(f"FILTER({' && '.join(tests)})")
    if category.weekdays:
        _weekday(text, category, segment)


def _weekday(text: SparqlText, category: SegmentCategory, segment: str) -> None:
    """The weekday of the begin, counted from Sunday, from year, month and day; SPARQL has no function for it."""
    begin = text.fact(segment, "begin")
    early, year, month, days = (text.fresh(stem) for stem in ("early", "year", "month", "days"))
    numbers = ", ".join(str(WEEKDAYS.index(name)) for name in sorted(set(category.weekdays), key=WEEKDAYS.index))
    text.late("# the weekday by Zeller's rule: 0 is Sunday")
    text.late(f"BIND(IF(MONTH({begin}) < 3, 1, 0) AS {early})")
    text.late(f"BIND(YEAR({begin}) - {early} AS {year})")
    text.late(f"BIND(MONTH({begin}) + 12 * {early} - 2 AS {month})")
    leaps = f"FLOOR({year} / 4) - FLOOR({year} / 100) + FLOOR({year} / 400)"
    text.late(f"BIND(DAY({begin}) + {year} + {leaps} + FLOOR(31 * {month} / 12) AS {days})")
    text.late(f"FILTER({days} - 7 * FLOOR({days} / 7) IN ({numbers}))")


def _annotation(text: SparqlText, condition: AnnotationCondition, segment: str) -> None:
    value = f"?{condition.name}" if condition.name else text.fresh("value")
    with text.block(segment, *([value] if condition.name else [])):
        if condition.text is not None:
            _lexical(text, condition, segment, value)
        elif condition.at_most_m is None:
            _related(text, condition, segment, value)
        else:
            with text.block(segment, value):
                _related(text, condition, segment, value)
            shape = text.fresh("wkt")
            text.uses("geo")
            text.add(f"{value} geo:hasGeometry/geo:asWKT {shape} .")
            text.add(f"{segment} geo:hasGeometry/geo:asWKT {segment}_wkt .")
            _distance(text, f"{segment}_wkt", shape, condition.at_most_m)


def _related(text: SparqlText, condition: AnnotationCondition, segment: str, value: str) -> None:
    """The segment is annotated with such a thing."""
    if condition.property is not None:
        _thing(text, condition, value)
        _property(text, segment, condition.property, value)
        return
    node = text.fresh("annotation")
    with text.block(node, value):
        _thing(text, condition, value)
        text.add(f"{node} bq:hasValue {value} .")
    text.add(f"{segment} bq:hasAnnotation {node} .")


def _thing(text: SparqlText, condition: AnnotationCondition, value: str) -> None:
    """What the value of an annotation is, of any target."""
    if condition.label is None and not condition.having:
        if condition.value is not None:
            _is_a(text, value, condition.value)
        return
    with text.block(value):
        if condition.value is not None:
            _is_a(text, value, condition.value)
        _label(text, value, condition.label)
        for thing in condition.having:
            other = text.fresh("thing")
            text.add(f"{value} {text.iri(thing.property)} {other} .")
            if thing.value is not None:
                _is_a(text, other, thing.value)
            _label(text, other, thing.label)


def _property(text: SparqlText, subject: str, iri: str, value: str) -> None:
    """The property or a more special one."""
    relation = text.fresh("property")
    text.uses("rdfs")
    with text.block(relation):
        text.add(f"{relation} rdfs:subPropertyOf* {text.iri(iri)} .")
    text.add(f"{subject} {relation} {value} .")


def _lexical(text: SparqlText, condition: AnnotationCondition, segment: str, value: str) -> None:
    """An annotation whose text, or one of whose value's labels, contains a text."""
    node, label, words = text.fresh("annotation"), text.fresh("label"), text.fresh("text")
    text.add(f"{segment} bq:hasAnnotation {node} .")
    if condition.property is not None:
        _property_of_node(text, node, condition.property)
    text.uses("rdfs")
    text.add(f"{node} bq:hasValue {value} .")
    text.late(f"OPTIONAL {{ {value} rdfs:label {label} }}")
    text.late(f"BIND(COALESCE({label}, {value}) AS {words})")
    text.late(f"FILTER(isLiteral({words}) && CONTAINS(STR({words}), {literal_term(condition.text or '')}))")


def _property_of_node(text: SparqlText, node: str, iri: str) -> None:
    relation = text.fresh("property")
    text.uses("rdfs")
    text.add(f"{node} bq:property {relation} .")
    text.add(f"{relation} rdfs:subPropertyOf* {text.iri(iri)} .")


def _label(text: SparqlText, thing: str, label: str | None) -> None:
    if label is not None:
        variable = text.fresh("label")
        text.uses("rdfs")
        text.add(f"{thing} rdfs:label {variable} .")
        text.add(f"FILTER(STR({variable}) = {literal_term(label)})")


def _distance(text: SparqlText, first: str, second: str, metres: float) -> None:
    text.uses("geof", "uom")
    text.add(f"FILTER(geof:distance({first}, {second}, uom:metre) <= {number_term(metres)})")


def _event(text: SparqlText, condition: EventCondition, segment: str) -> None:
    event = f"?{condition.name}" if condition.name else text.fresh("event")
    place, begin, end = (text.fresh(stem) for stem in ("place", "begin", "end"))
    names = [f"?{name}" for name in (condition.name, condition.shared) if name]
    with text.block(segment, *names):
        with text.block(segment, event, begin, end):
            with text.block(event, place, begin, end):
                _is_a(text, event, condition.value)
                text.add(f"{event} bq:occursIn|bq:occursAt {place} ; bq:begin {begin} ; bq:end {end} .")
            _property(text, segment, condition.property, place)
        own = text.fact(segment, "begin"), text.fact(segment, "end")
        _shared(text, own, (begin, end), condition.least_shared_minutes, condition.shared or "")


def _shared(text: SparqlText, first: tuple[str, str], second: tuple[str, str], minutes: float, name: str = "") -> None:
    """The two intervals share more than an instant, and at least so many minutes."""
    (b1, e1), (b2, e2) = first, second
    text.add(f"FILTER({b1} < {e2} && {b2} < {e1})")
    common = f"IF({e1} < {e2}, {e1}, {e2}) - IF({b1} > {b2}, {b1}, {b2})"
    variable = f"?{name}" if name else text.fresh("shared")
    text.late(f"BIND({common} AS {variable})")
    text.late(f"FILTER({variable} >= {_duration(text, minutes)})")


def _duration(text: SparqlText, minutes: float) -> str:
    text.uses("xsd")
    seconds = f"{minutes * 60:.6f}".rstrip("0").rstrip(".")
    return f'"PT{seconds}S"^^xsd:dayTimeDuration'


def _relative(text: SparqlText, relative: Relative, segment: str, *, bound: bool) -> None:
    """A relative of a segment.  bound : whether a line before restricts the segment; if not, the relative is first."""
    other = f"?{relative.segment.name}" if relative.segment.name else text.fresh("segment")
    is_first = not bound and _is_restricted(relative.segment)
    if is_first:
        _segment(text, relative.segment, other)
    if relative.relation in _PATHS:
        text.add(_PATHS[relative.relation].format(segment, other))
    else:
        _sibling(text, relative, segment, other)
    if not is_first:
        _segment(text, relative.segment, other, bound=bound)


def _sibling(text: SparqlText, relative: Relative, segment: str, other: str) -> None:
    """Another segment of the same father, in an order."""
    father = text.fact(segment, "father")
    text.add(f"{other} bq:father {father} .")
    if relative.relation == "sibling":
        text.add(f"FILTER({other} != {segment})")
        return
    own, theirs = text.fact(segment, "ord"), text.fact(other, "ord")
    low, high = (own, theirs) if relative.relation.endswith("followed-by") else (theirs, own)
    text.add(f"FILTER({low} < {high})")
    if relative.relation.startswith("immediately"):
        between, number = text.fresh("between"), text.fresh("number")
        with text.group("FILTER NOT EXISTS"):
            text.add(f"{between} bq:father {father} ; a bq:Stop ; bq:ord {number} .")
            text.add(f"FILTER({low} < {number} && {number} < {high})")


def _companion(text: SparqlText, companion: Companion, segment: str) -> None:
    other = f"?{companion.segment.name}" if companion.segment.name else text.fresh("segment")
    _segment(text, companion.segment, other)
    text.add(f"FILTER({other} != {segment})")
    if companion.person != "any":
        own, theirs = text.fact(segment, "person"), text.fact(other, "person")
        if companion.once:
            text.add(f"FILTER(STR({own}) < STR({theirs}))")
        else:
            text.add(f"FILTER({own} {'=' if companion.person == 'same' else '!='} {theirs})")
    if companion.least_shared_minutes is not None:
        spans = [(text.fact(name, "begin"), text.fact(name, "end")) for name in (segment, other)]
        _shared(text, spans[0], spans[1], companion.least_shared_minutes, companion.shared or "")
    if companion.begins_within_minutes is not None:
        end, begin = text.fact(segment, "end"), text.fact(other, "begin")
        text.add(f"FILTER({begin} >= {end} && {begin} - {end} <= {_duration(text, companion.begins_within_minutes)})")
    if companion.at_most_m is not None:
        _distance(text, text.fact(segment, "wkt"), text.fact(other, "wkt"), companion.at_most_m)
