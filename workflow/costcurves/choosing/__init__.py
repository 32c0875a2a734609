"""Choosing: which threshold or member decides at each PC(+), and what that costs."""
