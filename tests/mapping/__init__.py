"""Tests of the mapping, and of what its catalogs become on the wire."""
