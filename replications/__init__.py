"""Published experiments, repeated: `python -m replications` runs them and writes what became of every figure."""
