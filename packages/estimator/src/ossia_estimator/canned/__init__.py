"""Canned estimators: models over feature columns that are ready to train."""
