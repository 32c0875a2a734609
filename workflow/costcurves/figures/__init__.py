"""The figures of a report: a module each, with its data, its panels and its words."""
