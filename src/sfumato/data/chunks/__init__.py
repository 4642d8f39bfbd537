"""Disassociated transactions: chunks, their layout, order, probabilities and reconstructions."""
