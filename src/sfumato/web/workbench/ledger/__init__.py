"""Which persons are in which release, and what several releases reveal together."""
