"""Variables of both kinds, the scopes that share them, and their partitions."""
