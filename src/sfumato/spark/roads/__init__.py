"""Road trajectories on a cluster, and the promise about them."""
