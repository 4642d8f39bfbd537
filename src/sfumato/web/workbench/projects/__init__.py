"""The list of projects, and the first page of each."""
