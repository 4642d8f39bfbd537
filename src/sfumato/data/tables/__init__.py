"""Tables with column roles, their quasi-identifiers as codes, and their published labels."""
