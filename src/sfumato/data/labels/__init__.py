"""What published labels stand for: days of a calendar, areas of a map, labels of two hierarchies compared."""
