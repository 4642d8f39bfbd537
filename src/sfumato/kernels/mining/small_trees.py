"""The weights of all sets of a few items at once, from a table of the records by which of the items they hold.

A set is a number: bit i stands for the i-th of the items that `fp_tree.sift` kept.  The tables of trees with few items
replace all further trees.
"""

from sfumato.kernels.inner import inner

__all__ = ["SMALL", "count_in_nodes", "count_in_records"]

SMALL = 10  # the most items of a table; each more doubles it


@inner
def count_in_records(records, item, n_kept, conditional, table):
    """Write the weight of each set of kept items, together with an item whose records were read and sifted."""
    codes, begin, ends, starts, places, weights = records
    bits = conditional.sizes
    _clear(n_kept, conditional, table)
    for i in range(begin[item], ends[item]):
        held = 0
        for position in range(starts[i], places[i]):
            held |= bits[codes[position]]
        table[held] += weights[i]
    _add_supersets(n_kept, table)


@inner
def count_in_nodes(nodes, root, first, end, n_kept, conditional, table):
    """Write the weight of each set of kept items, together with an item whose nodes were climbed and sifted."""
    bits = conditional.sizes
    _clear(n_kept, conditional, table)
    for node in range(first, end):
        held, up = 0, nodes.parent[node]
        while up != root:
            held |= bits[nodes.item[up]]
            up = nodes.parent[up]
        table[held] += nodes.weight[node]
    _add_supersets(n_kept, table)


@inner
def _clear(n_kept, conditional, table):
    """Clear the table, and write the bit of each kept item as its size."""
    for i in range(n_kept):
        conditional.sizes[conditional.met[i]] = 1 << i
    for held in range(1 << n_kept):
        table[held] = 0


@inner
def _add_supersets(n_kept, table):
    """Add to each set the weights of all sets that contain it."""
    for i in range(n_kept):
        step = 1 << i
        for block in range(0, 1 << n_kept, 2 * step):
            for held in range(block, block + step):
                table[held] += table[held + step]
