"""Judge tables of position codes."""
