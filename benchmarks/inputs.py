"""The datasets that several claims measure on; all of them generated, none of them read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato import Trajectories

SEED = 1

# The sizes of Poulis et al., TDP 7(2), 2014, Section 5 and Figure 10, and a larger one.  `grid` has about as many
# distinct ordered pairs as the paper's Oldenburg (6,955), `check-ins` as its Gowalla (107,811).
SIZES: dict[str, dict[str, Any]] = {
    "grid": {"trajectories": 18_143, "locations": 100, "mean_length": 4.72, "zipf": 1.2, "nearby": 0.97},
    "check-ins": {"trajectories": 86_061, "locations": 662, "mean_length": 3.92},
    "million": {"trajectories": 1_000_000, "locations": 2_000, "mean_length": 4.0},
}


def make(**settings: Any) -> Trajectories:
    from sfumato.generate import Checkins

    return Checkins(**settings).make(seed=SEED)


def facts(data: Trajectories) -> dict[str, int]:
    return {"trajectories": len(data), "locations": len(data.names)}


def warm_up(method: Any, **settings: Any) -> None:
    """Compile everything the method and its verifier need, large labels included."""
    method.anonymize(make(**{"trajectories": 500, "locations": 100, **settings}))


def on_the_globe(data: Trajectories) -> Trajectories:
    """The same trajectories with latitude and longitude in place of metres."""
    from dataclasses import replace

    from sfumato import Places

    assert data.places is not None
    frame = data.places.frame
    lat_lon = {"location": frame["location"], "lat": 40 + frame["y"] / 111_000, "lon": frame["x"] / 85_000 - 74}
    return replace(data, places=Places.from_frame(lat_lon))


def flagged(data: Trajectories) -> Trajectories:
    """The same trajectories, one location in 20, drawn at random, flagged as sensitive."""
    from dataclasses import replace

    import numpy as np

    assert data.places is not None
    drawn = np.random.default_rng(SEED).choice(len(data.names), max(1, len(data.names) // 20), replace=False)
    return replace(data, places=data.places.with_sensitive([data.names[at] for at in drawn]))
