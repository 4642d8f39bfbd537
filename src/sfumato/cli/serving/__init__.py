"""Commands that run the workbench in a browser."""
