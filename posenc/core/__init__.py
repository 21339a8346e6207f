"""What several subjects share: checks of arguments, frequencies, layouts, attention."""
