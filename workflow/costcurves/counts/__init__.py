"""From rows of predictions to counts and operating points."""
