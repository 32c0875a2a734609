"""Rerun simulations: ``python -m tests.simulations NAME``; a name is a module, or module.table."""

import sys

from tests.simulations import (
    by_design,
    choices,
    claims,
    costs,
    fresh,
    further,
    inference,
    making,
    optimism,
    rare,
    verdicts,
)

ALL = by_design, choices, claims, costs, fresh, further, inference, optimism, rare, verdicts
MODULES = {module.__name__.rpartition(".")[2]: module for module in ALL}

if __name__ == "__main__":
    for asked in sys.argv[1:] or [""]:
        name, _, table = asked.partition(".")
        if name not in MODULES or (table and table not in MODULES[name].TABLES):
            sys.exit(f"expected a table of {', '.join(MODULES)}, or one of these, found {asked!r}")
        tables = MODULES[name].TABLES
        making.make(MODULES[name].RESULTS, {table: tables[table]} if table else tables)
