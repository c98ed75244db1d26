"""The mean of what a layer measures, over the runs."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import identity
from ossia_core.variables.variable import VariableV1
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import size
from ossia_ops.math.cast import cast
from ossia_ops.math.division import div_no_nan
from ossia_ops.math.reduction import reduce_sum


class Mean:
    """The mean of all elements that it was called with; its variables are in no collection.

    Args:
      name: name of the metric.
      dtype: dtype of the sum.

    Attributes:
      total, count: the sum and the number of elements so far.
      updates: the ops that took in elements, one a call.
    """

    def __init__(self, name: str, dtype: Any = dtypes.float32) -> None:
        self.name, self.dtype = name, dtypes.as_dtype(dtype).name
        self.total, self.count = self._variable("total"), self._variable("count")
        self.updates: list[Operation] = []

    def _variable(self, name: str) -> Any:
        return VariableV1(lambda: zeros([], self.dtype), trainable=False, collections=[], name=name, use_resource=True)

    @property
    def weights(self) -> list[Any]:
        """The variables."""
        return [self.total, self.count]

    variables = non_trainable_weights = weights

    def update_state(self, values: Any) -> Operation:
        """The op that takes in the elements of `values`."""
        values = cast(convert_to_tensor(values), self.dtype)
        added = reduce_sum(values)
        total = self.total.assign_add(added, read_value=False)
        with control_dependencies([added, total]):
            self.total.value()
        number = cast(size(values), self.dtype)
        with control_dependencies([total]):
            update = self.count.assign_add(number, read_value=False)
            with control_dependencies([update]):
                self.count.value()
        self.updates.append(update)
        return update

    def result(self) -> Tensor:
        """The mean so far; 0 before the first element."""
        return identity(div_no_nan(self.total, self.count))

    def __call__(self, values: Any) -> Tensor:
        """The mean after the elements of `values` have been taken in."""
        with control_dependencies([self.update_state(values)]):
            result = self.result()
        result._metric_obj = self  # type: ignore[attr-defined]
        return result
