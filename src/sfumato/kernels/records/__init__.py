"""Loops over records of different length: copied in another order, compared with their neighbours."""
