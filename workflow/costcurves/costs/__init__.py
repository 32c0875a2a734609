"""Costs of cases: what a mistake on a given case costs, in the unit of the costs."""
