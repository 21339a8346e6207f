"""The MkDocs side: events, navigation, search, styles, and what is done to finished HTML."""
