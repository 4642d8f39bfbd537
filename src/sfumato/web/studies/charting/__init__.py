"""The chart tool, and charts that may leave a study."""
