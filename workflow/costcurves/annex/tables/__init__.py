"""The tables that the annex adds to those of a dataset; `results` says how each is computed."""

from typing import Final

from costcurves.additions import AddedTables
from costcurves.annex.tables.auc_differences import AUC_DIFFERENCES
from costcurves.annex.tables.checks import OF_CHANCE, OF_CHOICES
from costcurves.annex.tables.choices import CHOICE_BANDS, CHOICE_INTERVALS
from costcurves.annex.tables.constructions import CONSTRUCTIONS
from costcurves.annex.tables.losses import LOSSES
from costcurves.annex.tables.optimism import OPTIMISM
from costcurves.annex.tables.results import AnnexResults
from costcurves.annex.tables.roc import ROC

ADDED: Final = AddedTables(
    contracts=(
        *(ROC, LOSSES, CONSTRUCTIONS),
        *(CHOICE_BANDS, CHOICE_INTERVALS, OPTIMISM, AUC_DIFFERENCES),
    ),
    results=AnnexResults,
    of_choices=OF_CHOICES,
    of_chance=OF_CHANCE,
)
