"""Preparation of raw data (grids, regions, splitting, stops, map matching) by classes with ``apply(data)``."""

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
