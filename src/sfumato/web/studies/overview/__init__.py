"""The first page of a study, and a new study."""
