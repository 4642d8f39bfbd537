"""Random noise of differentially private methods, and the budget that it spends."""
