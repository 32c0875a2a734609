"""Costs in units, and what follows from them."""
