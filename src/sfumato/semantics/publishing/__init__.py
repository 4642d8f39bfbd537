"""From annotated movements to trajectories that can be anonymized, and facts about places for attacks."""
