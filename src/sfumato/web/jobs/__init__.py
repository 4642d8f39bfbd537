"""Long work: a table of jobs, workers that take them, and a process of its own for each."""
