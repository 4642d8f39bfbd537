"""Does open data undo what a release generalized?  Facts about places beside published labels."""
