"""What a page of the book must have, and what is put into it. Rests on the engine alone."""
