"""What runs a page in the reader's browser, and the changes that readers can try there."""
