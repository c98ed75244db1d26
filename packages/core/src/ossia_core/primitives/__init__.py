"""The few ops that core itself builds: constants, placeholders, identities, control flow, variables."""
