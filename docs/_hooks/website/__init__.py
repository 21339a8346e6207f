"""What MkDocs makes of the pages, and how it looks. Rests on the pages and the engine."""
