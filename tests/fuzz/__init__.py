"""Fuzzing: documents, calls and answers that nobody thought of, and the laws that hold for each of them.

``python -m tests.fuzz --help`` says how it is run for long; a short run is in the suite.
"""
