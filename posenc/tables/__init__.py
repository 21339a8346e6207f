"""Tables of encodings, one row for each position or point."""
