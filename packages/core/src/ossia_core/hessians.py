"""`tf.hessians`: second derivatives, one row of the matrix per step of a loop."""
from __future__ import annotations

from typing import Any

from ossia_core import dtypes, switches
from ossia_core.api_table import public
from ossia_core.autodiff import gradients
from ossia_core.builders import builder
from ossia_core.control.tensor_array import TensorArray
from ossia_core.control.while_context import WhileContext
from ossia_core.control.while_loop import while_loop
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph


@public("hessians")
def hessians(
    ys: Any,
    xs: Any,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
) -> list:
    """Second derivatives of the sum of `ys` with respect to each of `xs`.

    Args:
      ys, xs, colocate_gradients_with_ops, gate_gradients, aggregation_method: as for `gradients`.
      name: unused.

    Returns:
      A list of tensors, one per x, of the shape of x twice.

    Raises:
      LookupError: an op on the way has no gradient.
    """
    xs = list(xs) if isinstance(xs, (list, tuple)) else [xs]
    options: dict[str, Any] = {
        "colocate_gradients_with_ops": colocate_gradients_with_ops,
        "gate_gradients": gate_gradients,
        "aggregation_method": aggregation_method,
    }
    shape, reshape, concat = builder("shape"), builder("reshape"), builder("concat")
    found = []
    for gradient, x in zip(gradients(ys, xs, **options), xs):
        flat = reshape(gradient, [-1])
        n = builder("size")(x)

        def row(j: Any, rows: TensorArray, flat: Any = flat, x: Any = x) -> Any:
            return j + 1, rows.write(j, gradients(flat[j], x)[0])
        arrays = None
        if not get_default_graph().building_function:
            variables = [constant(0, dtypes.int32), TensorArray(x.dtype, n)]
            if switches.control_flow_v2_enabled():
                # The body of a functional loop would not reach the nodes around it, through which its gradients go.
                with name_scope("while"):
                    _, arrays = WhileContext().build_loop(lambda j, _, n=n: j < n, row, variables, None, False)
            else:
                _, arrays = while_loop(lambda j, _, n=n: j < n, row, variables)
        of_x = shape(x)
        rows = _rows(flat, x) if arrays is None else arrays.stack()
        found.append(reshape(rows, concat((of_x, of_x), 0)))
    return found


def _rows(flat: Any, x: Any) -> Any:
    """In the body of a function, in which no loop reaches what is around its own body: the rows one by one.

    Raises:
      NotImplementedError: their number is not known.
    """
    count = x.shape.num_elements()
    if count is None:
        raise NotImplementedError("tf.hessians in a function: of a tensor whose shape is not known")
    return builder("stack")([gradients(flat[j], x)[0] for j in range(count)])
