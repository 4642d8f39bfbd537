"""Several configurations over a varying parameter."""
