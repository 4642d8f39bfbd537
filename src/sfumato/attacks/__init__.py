"""What an adversary can do with a dataset: one attack a file."""
