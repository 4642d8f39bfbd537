"""What is left: one family of measures a file."""
