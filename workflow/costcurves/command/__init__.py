"""The command line: each command in a module of its own."""
