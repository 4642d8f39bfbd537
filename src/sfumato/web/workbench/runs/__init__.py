"""The runs of a project and the page of each."""
