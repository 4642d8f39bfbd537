"""False sensitive places: a visit to a clinic reveals nothing about the health of a person who works there."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sfumato.data import Trajectories

__all__ = ["visits_to_work"]

_DAY_S = 86_400
_OPENS_S, _CLOSES_S = 8 * 3_600, 18 * 3_600
_SATURDAY = 5
_FEWEST_DAYS = 3


def visits_to_work(data: Trajectories) -> npt.NDArray[np.bool_]:
    """Which visits a person makes to a workplace of their own: as given with the data, otherwise by days and hours.

    A workplace is a place where a person is seen between 8 and 18 o'clock on at least 3 days from Monday to Friday, and
    on at least half of those days on which they are seen anywhere at these hours.  Clocks are taken as written.
    Without times, and without workplaces given, no person has one.
    """
    if data.workplaces is not None:
        return data.workplaces.visits(data)
    if data.times is None or len(data.codes) == 0:
        return np.zeros(len(data.codes), dtype=np.bool_)
    day, of_day = np.divmod(data.times, _DAY_S)
    weekday = (day.astype(np.int64) + 3) % 7  # the first day of 1970 was a Thursday
    working = (weekday < _SATURDAY) & (of_day >= _OPENS_S) & (of_day < _CLOSES_S)
    unit = data.units[data.record_of_element()].astype(np.int64)
    pair = unit * len(data.names) + data.codes
    days_of_unit = np.unique(np.column_stack((unit, day))[working], axis=0)[:, 0].astype(np.int64)
    seen = np.bincount(days_of_unit, minlength=int(unit.max()) + 1)
    at_place, days = np.unique(
        np.unique(np.column_stack((pair, day))[working], axis=0)[:, 0].astype(np.int64), return_counts=True
    )
    often = (days >= _FEWEST_DAYS) & (2 * days >= seen[at_place // len(data.names)])
    return np.isin(pair, at_place[often])
