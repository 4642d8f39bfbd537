"""What the verifiers of several privacy models share."""
