"""The answers of an entry, as they are stored: texts under permanent keys.

A text is the canonical one of its type (a number as 38.5, a date as 2026-11-16, yes, no, the key of an option), and a
list of keys for a question with several answers.  Types that widen read the same text, so nothing stored is rewritten.

    {"values": {"q1": "63", "q4": ["c1", "c3"]},
     "episodes": {"g1": [{"key": "e1", "values": {"q7": "2026-01-31"}}]}}
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answers", "Stored"]

Stored = str | list[str]


@dataclass
class Answers:
    """values : of questions outside of groups.  episodes : of each group, in order, as pairs of key and values."""

    values: dict[str, Stored] = field(default_factory=dict)
    episodes: dict[str, list[tuple[str, dict[str, Stored]]]] = field(default_factory=dict)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Answers:
        """The answers that `to_json` wrote; an empty object is no answers."""
        episodes = {
            group: [(episode["key"], dict(episode.get("values", {}))) for episode in rows]
            for group, rows in content.get("episodes", {}).items()
        }
        return cls(dict(content.get("values", {})), episodes)

    def to_json(self) -> dict[str, Any]:
        """JSON."""
        return {
            "values": self.values,
            "episodes": {
                group: [{"key": key, "values": values} for key, values in rows] for group, rows in self.episodes.items()
            },
        }

    def scope(self, group: str, episode: str) -> dict[str, Stored] | None:
        """The values of an episode (those outside of groups for group ""); None if there is no such episode."""
        if not group:
            return self.values
        return next((values for key, values in self.episodes.get(group, ()) if key == episode), None)
