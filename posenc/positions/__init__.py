"""Other positions, the fourth part of the book: grids, and what other sciences have."""
