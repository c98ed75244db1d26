"""`tf.contrib.compiler.jit`: what programs mark for XLA. The backends compile what they can without it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.compiler.jit.experimental_jit_scope")
@contextlib.contextmanager
def experimental_jit_scope(compile_ops: Any = True, separate_compiled_gradients: bool = False) -> Iterator[None]:
    """Marks the ops made inside for XLA, which makes no difference here.

    Args:
      compile_ops: whether to mark them, or a function of a `NodeDef` that says so.
      separate_compiled_gradients: not used.
    """
    graph = tf.get_default_graph()
    count = len(graph.get_operations())
    yield
    for operation in graph.get_operations()[count:]:
        wanted = compile_ops(operation.node_def) if callable(compile_ops) else compile_ops
        operation._set_attr("_XlaCompile", tf.AttrValue(b=bool(wanted)))
