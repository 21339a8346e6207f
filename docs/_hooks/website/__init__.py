"""The MkDocs side of the book: events, search, styles, the browser's Python, and HTML repairs."""
