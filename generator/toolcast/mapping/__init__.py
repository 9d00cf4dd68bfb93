"""Map: an Api becomes a Catalog, what the server offers."""
