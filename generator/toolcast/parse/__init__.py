"""Parse: a Document becomes an Api, what the document says."""
