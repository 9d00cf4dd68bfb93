"""Catalog → Files."""
