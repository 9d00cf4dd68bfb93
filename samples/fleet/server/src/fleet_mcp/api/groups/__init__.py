"""The operations, one module for each group; a module is imported when one of its tools is called."""
