"""The configuration of a study: its keys, what they must mean, and the study that they make."""
