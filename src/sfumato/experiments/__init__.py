"""Comparing configurations: experiment files, parallel and resumable runs, results, charts, a report.

Nothing is imported here: a worker process sets up its threads before anything heavy is loaded.
"""
