"""`tf.hessians`: second derivatives, one row of the matrix per step of a loop."""
from __future__ import annotations

from typing import Any

from ossia_core.control.while_loop import while_loop
from ossia_core.declare.builders import builder
from ossia_core.differentiate.autodiff import gradients
from ossia_core.graph.convert import constant
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public


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

        def row(j: Any, rows: Any, flat: Any = flat, x: Any = x) -> Any:
            return j + 1, rows.write(j, gradients(flat[j], x)[0])
        start = [constant(0, dtypes.int32), builder("TensorArray")(x.dtype, n)]
        _, rows = while_loop(lambda j, _, n=n: j < n, row, start)
        of_x = shape(x)
        found.append(reshape(rows.stack(), concat((of_x, of_x), 0)))
    return found
