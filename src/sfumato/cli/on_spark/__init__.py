"""What the commands do with --engine spark."""
