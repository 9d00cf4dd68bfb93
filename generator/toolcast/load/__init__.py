"""Load: an address becomes a Document, plain data in one dialect."""
