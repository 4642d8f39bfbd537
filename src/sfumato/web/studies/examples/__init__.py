"""A demonstration study of two hospitals with made-up answers, in which everything can be tried."""
