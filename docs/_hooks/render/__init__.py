"""Rules for whole pages, and the Markdown that is generated into them."""
