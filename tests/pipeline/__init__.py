"""Tests of the pipeline: plans, jobs, the server and upkeep."""
