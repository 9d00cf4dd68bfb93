"""The emitted server driven for real."""
