"""Rows of a frame as records: their times, and which rows belong to one record and one person."""
