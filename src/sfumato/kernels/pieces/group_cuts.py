"""The best place to cut an ordered list of places into two groups that are both visited by enough units."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["best_cut"]


@njit(cache=True)
def _enough_from(order, step, size, starts, units, last_tick, tick):
    """How many places from one end of the list on have at least `size` distinct units; all of them if never."""
    seen = 0
    for index in range(len(order)):
        place = order[index if step > 0 else len(order) - 1 - index]
        for entry in range(starts[place], starts[place + 1]):
            if last_tick[units[entry]] != tick:
                last_tick[units[entry]] = tick
                seen += 1
        if seen >= size:
            return index + 1
    return len(order)


@njit(cache=True)
def best_cut(order, axis, points, weights, size, starts, units, last_tick, tick):
    """The number of places before the best cut and the squared distances that it explains; 0 where no cut is possible.

    order : int64[places], rising along the axis.  points : float64[all places, d].  weights : float64[all places].
    starts : int64[all places + 1], into units : int32[...], those that visited each place.
    last_tick : int64[n_units], below `tick`, changed; tick + 2 is the next free tick.
    Both groups have at least `size` distinct units, and differ along the axis; ties go to the earlier cut.  Linear.
    """
    first = _enough_from(order, 1, size, starts, units, last_tick, tick)
    end = len(order) - _enough_from(order, -1, size, starts, units, last_tick, tick + 1)
    dimensions = points.shape[1]
    total, left = np.zeros(dimensions), np.zeros(dimensions)
    all_weight, weight = 0.0, 0.0
    for place in order:
        all_weight += weights[place]
        for dimension in range(dimensions):
            total[dimension] += weights[place] * (points[place, dimension] - points[order[0], dimension])
    best, gain = 0, -1.0
    for index in range(min(end, len(order) - 1)):
        place = order[index]
        weight += weights[place]
        explained = 0.0
        for dimension in range(dimensions):
            left[dimension] += weights[place] * (points[place, dimension] - points[order[0], dimension])
            right = total[dimension] - left[dimension]
            explained += left[dimension] ** 2 / weight + right**2 / (all_weight - weight)
            explained -= total[dimension] ** 2 / all_weight
        if index + 1 >= first and explained > gain and points[place, axis] < points[order[index + 1], axis]:
            best, gain = index + 1, explained
    return best, gain
