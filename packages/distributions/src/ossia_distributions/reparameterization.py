"""Whether gradients flow through samples into the parameters of a distribution."""

from __future__ import annotations

from ossia_core.plugins.api_table import public, public_value


@public("distributions.ReparameterizationType", "contrib.distributions.ReparameterizationType")
class ReparameterizationType:
    """How samples depend on parameters; two values of it are known, which compare by identity.

    Args:
      rep_type: the name of the kind.
    """

    def __init__(self, rep_type: str) -> None:
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameteriation Type: {self._rep_type}>"


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")
for _name in ("FULLY_REPARAMETERIZED", "NOT_REPARAMETERIZED"):
    public_value(f"distributions.{_name}", f"contrib.distributions.{_name}", name=_name)
