"""The page: what a document would become, in one file that needs no network."""
