"""Files of a project to take away."""
