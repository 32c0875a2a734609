"""Statements about models: the gate."""
