"""How replicas of a variable are kept in step: the enumerations that variables take and report."""

from __future__ import annotations

import enum
from typing import Any

from ossia_core.plugins.api_table import public


@public("VariableSynchronization", "compat.v2.VariableSynchronization")
class VariableSynchronization(enum.Enum):
    """When the replicas of a distributed variable are synchronised."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@public("compat.v2.VariableAggregation")
class VariableAggregationV2(enum.Enum):
    """How updates of a distributed variable by several replicas are put together."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, VariableAggregation) and self.value == other.value)


@public("VariableAggregation")
class VariableAggregation(enum.Enum):
    """How updates of a distributed variable by several replicas are put together."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3  # noqa: PIE796 - the older name of the same

    def __hash__(self) -> int:
        return hash(self.value)


def checked_options(
    synchronization: Any, aggregation: Any, trainable: bool | None, name: str | None
) -> tuple[VariableSynchronization, Any, bool]:
    """The three options with their defaults filled in.

    Raises:
      ValueError: a value that the enumerations do not have.
    """
    if aggregation is None:
        aggregation = VariableAggregation.NONE
    elif not isinstance(aggregation, (VariableAggregation, VariableAggregationV2)):
        try:
            aggregation = VariableAggregation(aggregation)
        except ValueError:
            raise ValueError(f"Invalid variable aggregation mode: {aggregation} for variable: {name}") from None
    if synchronization is None:
        synchronization = VariableSynchronization.AUTO
    else:
        try:
            synchronization = VariableSynchronization(synchronization)
        except ValueError:
            raise ValueError(f"Invalid variable synchronization mode: {synchronization} for variable: {name}") from None
    if trainable is None:
        trainable = synchronization is not VariableSynchronization.ON_READ
    return synchronization, aggregation, trainable
