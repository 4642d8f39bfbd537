"""Connected components of a graph and trees that span them, by union and find."""

import numpy as np

from sfumato.kernels.compiled import njit

__all__ = ["components", "spanning_edges"]


@njit(cache=True)
def _root(parent, node):
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@njit(cache=True)
def spanning_edges(nodes, left, right):
    """The edges of spanning trees: those that, taken in their order, connect two components.

    nodes : int, how many.  left, right : int[m], the ends of the edges.  Returns bool[m].
    """
    parent = np.arange(nodes)
    joins = np.zeros(len(left), dtype=np.bool_)
    for edge in range(len(left)):
        a, b = _root(parent, left[edge]), _root(parent, right[edge])
        if a != b:
            parent[max(a, b)] = min(a, b)
            joins[edge] = True
    return joins


@njit(cache=True)
def components(nodes, left, right):
    """The connected component of every node, numbered from 0 by its first node.  Returns int64[nodes]."""
    parent = np.arange(nodes)
    for edge in range(len(left)):
        a, b = _root(parent, left[edge]), _root(parent, right[edge])
        parent[max(a, b)] = min(a, b)
    component = np.empty(nodes, dtype=np.int64)
    count = 0
    for node in range(nodes):  # the root of a component is its first node
        root = _root(parent, node)
        if root == node:
            component[node] = count
            count += 1
        else:
            component[node] = component[root]
    return component
