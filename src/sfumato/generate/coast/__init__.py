"""A synthetic city on a coast: classes, places, regions, events, people, their days, and what they post."""
