"""Strings taken from a list one after the other."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

obtain_next_op = op("ObtainNext(list: string, counter: Ref(int64)) -> out_element: string")
obtain_next_op.updates("counter")
obtain_next_op.shape(scalar)


@obtain_next_op.kernel
def _(list, counter):
    if list.ndim != 1 or not list.size:
        raise InvalidArgumentError(None, None, f"list must be a vector with elements, saw shape {list.shape}")
    with counter.lock:
        counter.value[...] = (counter.value + 1) % list.size
        return list[int(counter.value)]


obtain_next_op.not_differentiable()


@public("contrib.input_pipeline.obtain_next")
def obtain_next(string_list_tensor: Any, counter: Any) -> Any:
    """The next string of a list, from its begin again after its end.

    Args:
      string_list_tensor: the list, a vector of strings.
      counter: an int64 variable, the place of the last one; starts at -1.

    Returns:
      A string.
    """
    return obtain_next_op(string_list_tensor, counter)
