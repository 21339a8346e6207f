"""What can be taken along: plain Markdown, notebooks, scripts, the wheel, the book as a PDF."""
