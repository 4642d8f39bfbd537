"""The workbench: projects, datasets, configuration, queries, runs, releases."""
