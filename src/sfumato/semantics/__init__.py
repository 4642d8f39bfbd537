"""Meaning: movements of persons, enriched with linked open data about places and events."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
    from sfumato.semantics.linking.linker import Linker, link
    from sfumato.semantics.movement.files import read_movement
    from sfumato.semantics.movement.movement import Movement
    from sfumato.semantics.movement.patterns.base import Pattern, register_pattern
    from sfumato.semantics.movement.patterns.flock import Flock
    from sfumato.semantics.movement.patterns.meeting import Meeting
    from sfumato.semantics.publishing.annotated_visits import AnnotatedVisits
    from sfumato.semantics.publishing.knowledge_places import KnowledgePlaces
    from sfumato.semantics.queries.pattern_category import PatternCategory
    from sfumato.semantics.queries.segment_category import SegmentCategory
    from sfumato.semantics.segmentation.segmentation import Segmentation, segment

__all__ = [
    "AnnotatedVisits",
    "Flock",
    "KnowledgeBase",
    "KnowledgePlaces",
    "Linker",
    "Meeting",
    "Movement",
    "Pattern",
    "PatternCategory",
    "SegmentCategory",
    "Segmentation",
    "link",
    "read_movement",
    "register_pattern",
    "segment",
]

# Names are loaded when they are first used; only what needs linked data imports its packages.
_MODULE_OF = {
    "AnnotatedVisits": "sfumato.semantics.publishing.annotated_visits",
    "KnowledgePlaces": "sfumato.semantics.publishing.knowledge_places",
    "PatternCategory": "sfumato.semantics.queries.pattern_category",
    "SegmentCategory": "sfumato.semantics.queries.segment_category",
    "Flock": "sfumato.semantics.movement.patterns.flock",
    "KnowledgeBase": "sfumato.semantics.knowledge.knowledge_base",
    "Linker": "sfumato.semantics.linking.linker",
    "link": "sfumato.semantics.linking.linker",
    "Meeting": "sfumato.semantics.movement.patterns.meeting",
    "Movement": "sfumato.semantics.movement.movement",
    "Pattern": "sfumato.semantics.movement.patterns.base",
    "register_pattern": "sfumato.semantics.movement.patterns.base",
    "Segmentation": "sfumato.semantics.segmentation.segmentation",
    "read_movement": "sfumato.semantics.movement.files",
    "segment": "sfumato.semantics.segmentation.segmentation",
}


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
