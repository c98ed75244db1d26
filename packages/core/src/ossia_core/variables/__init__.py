"""Variables of both kinds, the scopes that share them, and their partitions."""

from ossia_core.variables import kinds as _kinds  # noqa: F401  # says what the chain of creators ends with
