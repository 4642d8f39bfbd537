"""The advisor: candidates for a privacy model, tried within a budget and ranked."""
