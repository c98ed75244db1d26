"""The ops of boosted trees: statistics, splits, growing ensembles, their predictions, and quantiles."""
