"""Areas: named regions with outlines, on one or several levels, and which of them holds a position."""
