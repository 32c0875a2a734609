"""Selection criteria: what there is to know of each is in one class of this package."""
