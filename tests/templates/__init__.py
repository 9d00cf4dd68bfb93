"""Owners' templates, and what they can rely on."""
