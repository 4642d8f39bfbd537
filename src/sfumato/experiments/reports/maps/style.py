"""The declared options of a map."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import ParameterError, did_you_mean
from sfumato.params import Declared, param

__all__ = ["LAYERS", "MapStyle"]

LAYERS = ("visits", "flows", "areas", "trails", "moves", "links", "places", "stops")


@dataclass(frozen=True, kw_only=True)
class MapStyle(Declared):
    """What a map of trajectories or of a movement shows."""

    layers: str = param(",".join(LAYERS), help="what to draw, separated by commas")
    top_flows: int = param(100, at_least=0, help="how many flows to draw in each panel, the strongest first")

    @property
    def shown(self) -> tuple[str, ...]:
        """The layers, in the order in which they are listed; refuses an unknown one."""
        names = tuple(name.strip() for name in self.layers.split(",") if name.strip())
        for name in names:
            if name not in LAYERS:
                raise ParameterError(f"layers: no layer is called {name!r}; {did_you_mean(name, LAYERS)}")
        if not names:
            raise ParameterError(f"layers: wanted at least one layer of {', '.join(LAYERS)}, found none")
        return tuple(name for name in LAYERS if name in names)
