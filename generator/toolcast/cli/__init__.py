"""The command line: one module a command; it prints and exits, and decides nothing."""
