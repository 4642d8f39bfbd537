"""The methods that keep a promise, tried and ranked."""
