"""Example projects: made-up data of each kind with all side knowledge, so that every method can be run at once."""
