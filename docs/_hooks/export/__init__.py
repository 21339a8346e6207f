"""Downloads: plain Markdown, notebooks, scripts, the wheel, and the book as a PDF."""
