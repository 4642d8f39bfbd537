"""Pages, charts, maps and sheets."""
