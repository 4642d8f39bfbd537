"""Links from movements to the places and events of a knowledge base, by distance and by names."""
