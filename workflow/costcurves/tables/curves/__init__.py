"""From counts to curves and their measures, without chance."""
