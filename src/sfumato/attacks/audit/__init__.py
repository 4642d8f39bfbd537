"""The audit of a dataset: what an attacker with a little background knowledge can do to it."""
