"""Lint: rules over an API and the tools that it becomes, which find what will hurt an agent."""
