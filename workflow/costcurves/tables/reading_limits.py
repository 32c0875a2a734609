"""Limits of what a study and its names may be."""

MOST_CONDITIONS = 100  # operating conditions of a study, marked in each figure: leave some out
LONGEST_NAME = 200  # characters: shorten it
