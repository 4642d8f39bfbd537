"""Generators of synthetic data: city traffic, roads, check-ins, baskets, graphs, mixed and semantic records, posts."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.generate.baskets import Baskets
    from sfumato.generate.checkins import Checkins
    from sfumato.generate.city import City
    from sfumato.generate.graph import Graph
    from sfumato.generate.mixed import Mixed
    from sfumato.generate.posts import Posts
    from sfumato.generate.roads import Roads
    from sfumato.generate.semantic import Semantic

__all__ = ["Baskets", "Checkins", "City", "Graph", "Mixed", "Posts", "Roads", "Semantic"]


def __getattr__(name: str) -> Any:
    """Load a generator when it is first used: some do not need compiled kernels."""
    if name not in __all__:
        raise AttributeError(f"module 'sfumato.generate' has no attribute {name!r}")
    value = getattr(import_module(f"sfumato.generate.{name.lower()}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
