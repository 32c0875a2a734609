"""How well scores rank and are calibrated: AUC, ROC averages, loss curves, net benefit."""
