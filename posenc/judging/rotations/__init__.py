"""Judge rotations of queries and keys."""
