"""Enumeration of all occurrences of a pattern in a graph, in batches that can be resumed.

The frames of an enumeration are those of a search, see `search_order`; nothing is blamed.
"""

from sfumato.kernels.compiled import njit
from sfumato.kernels.subgraphs.domains import OUT, UNKNOWN, VALID, has_arc
from sfumato.kernels.subgraphs.search_order import FROM, IMAGE, PIVOT, UPTO, open_depth

__all__ = ["solutions"]


@njit(cache=True, nogil=True)
def solutions(graph, pattern, plan, domains, root, frames, cursor, taken, solution, enough, budget):
    """Resume the enumeration that begins in domain `root`; every solution marks its nodes as valid.

    frames : int64[n + 1, 6] and cursor : int64[4], the next member, the depth, and solutions so far: the state, zeros
    at first.  taken : int32[N], zeros, or not at nodes that no solution may use.  solution : int32[rows, n], filled
    with solutions by pattern node (with 0 rows, none is kept).  enough : the enumeration ends when every domain has so
    many valid nodes.  budget : steps.
    Returns (solutions written, whether it has ended).
    """
    inside, members, starts, _, valid = domains
    keys, n, row = graph.keys, graph.n, pattern.row
    variables, begin, depths, kinds, _, _ = plan
    last, written, steps, d = variables.shape[1] - 1, 0, 0, cursor[1]
    while steps < budget:
        steps += 1
        if d == 0:
            if starts[root] + cursor[0] >= starts[root + 1]:
                cursor[1] = 0
                return written, True
            node = members[starts[root] + cursor[0]]
            cursor[0] += 1
            if inside[root, node] == OUT or taken[node] != 0:
                continue
            frames[0, IMAGE], taken[node] = node, 1
        elif frames[d, FROM] == frames[d, UPTO]:
            d -= 1
            taken[frames[d, IMAGE]] = 0
            continue
        else:
            node = keys[frames[d, FROM]] - kinds[root, frames[d, PIVOT]] * n
            frames[d, FROM] += 1
            if taken[node] != 0 or inside[row[variables[root, d]], node] == OUT:
                continue
            fits = True
            for a in range(begin[root, d], begin[root, d + 1]):
                if a != frames[d, PIVOT] and not has_arc(graph, frames[depths[root, a], IMAGE], kinds[root, a], node):
                    fits = False
                    break
            if not fits:
                continue
            frames[d, IMAGE] = node
        if d < last:
            taken[frames[d, IMAGE]] = 1
            d += 1
            open_depth(graph, plan, root, frames, d)
            continue
        cursor[2] += 1
        for k in range(last + 1):
            domain, image = row[variables[root, k]], frames[k, IMAGE]
            if inside[domain, image] == UNKNOWN:
                inside[domain, image] = VALID
                valid[domain] += 1
            if len(solution) > 0:
                solution[written, variables[root, k]] = image
        written += 1
        if len(solution) == 0:
            if valid.min() >= enough:
                cursor[1] = d
                return written, True
        elif written == len(solution):
            cursor[1] = d
            return written, False
    cursor[1] = d
    return written, False
