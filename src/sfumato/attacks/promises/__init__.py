"""Privacy models compared with the attacks that they allow for."""
