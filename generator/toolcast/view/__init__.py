"""View: what the stages found, for people and for machines."""
