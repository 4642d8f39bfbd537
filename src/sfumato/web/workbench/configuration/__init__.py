"""The configuration editor: hierarchies, taxonomies, policies, places, owners, constraints, networks."""
