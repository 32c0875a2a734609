"""The configuration of a study: its keys, what they must mean, and the study that they make.

All of this is imported before any job runs, so it needs neither pandas nor pyarrow.
"""
