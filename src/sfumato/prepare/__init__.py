"""Preparation of raw data (grids, regions, splitting, stops, map matching) by classes with ``apply(data)``."""

from typing import TYPE_CHECKING

from sfumato.lazy_names import loaded_on_use

if TYPE_CHECKING:
    from sfumato.prepare.base import Preparation, Prepared, prepare
    from sfumato.prepare.compression import Compress
    from sfumato.prepare.grid import Grid
    from sfumato.prepare.hierarchies import HierarchyRule
    from sfumato.prepare.map_matching import MapMatching
    from sfumato.prepare.place_trees import place_taxonomy, spatial_taxonomy
    from sfumato.prepare.record_limits import LimitRecords
    from sfumato.prepare.region_splits import SplitByRegion
    from sfumato.prepare.regions import RegionsOfInterest
    from sfumato.prepare.repeats import CollapseRepeats
    from sfumato.prepare.speeds import DropFastTracks, DropImpossibleSpeeds
    from sfumato.prepare.splitting import SplitByDay, SplitByDistance, SplitByGap, SplitByTravelledDistance, SplitByWeek
    from sfumato.prepare.stops import SpeedClusters, StayPoints, StaysAtPlaces
    from sfumato.prepare.time_slots import TimeSlots

__all__ = [
    "CollapseRepeats",
    "Compress",
    "DropFastTracks",
    "DropImpossibleSpeeds",
    "Grid",
    "HierarchyRule",
    "LimitRecords",
    "MapMatching",
    "Preparation",
    "Prepared",
    "RegionsOfInterest",
    "SpeedClusters",
    "SplitByDay",
    "SplitByDistance",
    "SplitByGap",
    "SplitByRegion",
    "SplitByTravelledDistance",
    "SplitByWeek",
    "StayPoints",
    "StaysAtPlaces",
    "TimeSlots",
    "place_taxonomy",
    "prepare",
    "spatial_taxonomy",
]

if not TYPE_CHECKING:  # a type checker knows the names from above, and no others
    __getattr__ = loaded_on_use(
        __name__,
        {
            "base": (
                "Preparation",
                "Prepared",
                "prepare",
            ),
            "compression": ("Compress",),
            "grid": ("Grid",),
            "hierarchies": ("HierarchyRule",),
            "map_matching": ("MapMatching",),
            "place_trees": (
                "place_taxonomy",
                "spatial_taxonomy",
            ),
            "record_limits": ("LimitRecords",),
            "region_splits": ("SplitByRegion",),
            "regions": ("RegionsOfInterest",),
            "repeats": ("CollapseRepeats",),
            "speeds": (
                "DropFastTracks",
                "DropImpossibleSpeeds",
            ),
            "splitting": (
                "SplitByDay",
                "SplitByDistance",
                "SplitByGap",
                "SplitByTravelledDistance",
                "SplitByWeek",
            ),
            "stops": (
                "SpeedClusters",
                "StayPoints",
                "StaysAtPlaces",
            ),
            "time_slots": ("TimeSlots",),
        },
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
