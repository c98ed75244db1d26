"""Which tensors of a run are dumped: watches in RunOptions, and the run that heeds them."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import provides
from ossia_debugging.dumps.dump_dir import DEBUG_OP
from ossia_debugging.watches import nan_count, numeric_summary

_NO_VALUES = (dtypes.resource, dtypes.variant)
_FILE = "file://"


class WatchOptions:
    """What the function of a debugging session says of a run: the ops that dump, and patterns of what is dumped.

    Args:
        debug_ops: Names of debug ops, `DebugIdentity` by default.
        node_name_regex_whitelist: A pattern of the names of nodes.
        op_type_regex_whitelist: A pattern of op types.
        tensor_dtype_regex_whitelist: A pattern of the names of dtypes.
        tolerate_debug_op_creation_failures: Whether tensors that an op cannot take are left out.
    """

    def __init__(
        self, debug_ops: Any = None, node_name_regex_whitelist: str | None = None,
        op_type_regex_whitelist: str | None = None, tensor_dtype_regex_whitelist: str | None = None,
        tolerate_debug_op_creation_failures: bool = False,
    ) -> None:
        self.debug_ops = debug_ops or [DEBUG_OP]
        self.node_name_regex_whitelist = node_name_regex_whitelist
        self.op_type_regex_whitelist = op_type_regex_whitelist
        self.tensor_dtype_regex_whitelist = tensor_dtype_regex_whitelist
        self.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures

    def __repr__(self) -> str:
        return f"WatchOptions({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def _list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def add_debug_tensor_watch(
    run_options: Any, node_name: str, output_slot: int = 0, debug_ops: Any = DEBUG_OP, debug_urls: Any = None,
    tolerate_debug_op_creation_failures: bool = False, global_step: int = -1,
) -> None:
    """Let runs with these options dump an output of a node.

    Args:
        run_options: The RunOptions that are changed.
        node_name: The node, `*` for all.
        output_slot: The number of its output, -1 for all.
        debug_ops: A name of a debug op, or a list of them.
        debug_urls: A URL, or a list of them: `file://` and a folder.
        tolerate_debug_op_creation_failures: Whether a tensor that an op cannot take is left out.
        global_step: The step that the dump is said to belong to.
    """
    run_options.debug_options.global_step = global_step
    run_options.debug_options.debug_tensor_watch_opts.add(
        node_name=node_name, output_slot=output_slot, debug_ops=_list(debug_ops), debug_urls=_list(debug_urls),
        tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures,
    )


def watch_graph(
    run_options: Any, graph: Any, debug_ops: Any = DEBUG_OP, debug_urls: Any = None,
    node_name_regex_whitelist: str | None = None, op_type_regex_whitelist: str | None = None,
    tensor_dtype_regex_whitelist: str | None = None, tolerate_debug_op_creation_failures: bool = False,
    global_step: int = -1, reset_disk_byte_usage: bool = False,
) -> None:
    """Let runs with these options dump the tensors of a graph, all or those that fit every pattern.

    Args:
        run_options: The RunOptions that are changed.
        graph: The graph.
        debug_ops: A name of a debug op, or a list of them.
        debug_urls: A URL, or a list of them: `file://` and a folder.
        node_name_regex_whitelist: A pattern of the names of nodes.
        op_type_regex_whitelist: A pattern of op types.
        tensor_dtype_regex_whitelist: A pattern of the names of dtypes.
        tolerate_debug_op_creation_failures: Whether a tensor that an op cannot take is left out.
        global_step: The step that the dump is said to belong to.
        reset_disk_byte_usage: Accepted for compatibility.

    Raises:
        ValueError: There are no URLs.
    """
    if not debug_urls:
        raise ValueError("debug_urls must not be empty or None.")
    patterns = node_name_regex_whitelist, op_type_regex_whitelist, tensor_dtype_regex_whitelist
    _watch(run_options, graph, patterns, True, debug_ops, debug_urls, tolerate_debug_op_creation_failures, global_step)
    run_options.debug_options.reset_disk_byte_usage = reset_disk_byte_usage


def watch_graph_with_blacklists(
    run_options: Any, graph: Any, debug_ops: Any = DEBUG_OP, debug_urls: Any = None,
    node_name_regex_blacklist: str | None = None, op_type_regex_blacklist: str | None = None,
    tensor_dtype_regex_blacklist: str | None = None, tolerate_debug_op_creation_failures: bool = False,
    global_step: int = -1, reset_disk_byte_usage: bool = False,
) -> None:
    """As `watch_graph`, for the tensors that fit none of the patterns."""
    patterns = node_name_regex_blacklist, op_type_regex_blacklist, tensor_dtype_regex_blacklist
    _watch(run_options, graph, patterns, False, debug_ops, debug_urls, tolerate_debug_op_creation_failures, global_step)
    run_options.debug_options.reset_disk_byte_usage = reset_disk_byte_usage


def _watch(
    run_options: Any, graph: Any, patterns: Sequence[str | None], wanted: bool, debug_ops: Any, debug_urls: Any,
    tolerate: bool, global_step: int,
) -> None:
    """Watch the tensors that fit all patterns (`wanted`), or none."""
    for op in graph.get_operations():
        for slot, tensor in enumerate(op.outputs):
            named = zip(patterns, (op.name, op.type, tensor.dtype.name))
            if all(bool(re.match(pattern, text)) == wanted for pattern, text in named if pattern):
                add_debug_tensor_watch(run_options, op.name, slot, debug_ops, debug_urls, tolerate, global_step)
    if not any(patterns):
        add_debug_tensor_watch(run_options, "*", -1, debug_ops, debug_urls, tolerate, global_step)


def computed(graph: Any, fetches: Any, feeds: Any) -> list[Tensor]:
    """The tensors that a run computes, outside of loops and conditionals, in the order of their nodes."""
    from ossia_core.names import nest

    targets = []
    for fetch in nest.flatten(fetches):
        found = graph.as_graph_element(getattr(fetch, "name", fetch) if not isinstance(fetch, str) else fetch)
        targets.append(found if isinstance(found, Operation) else found.op)
    fed = set(fed_names(feeds))
    seen, pending = set(targets), list(targets)
    while pending:
        op = pending.pop()
        for source in (*(t.op for t in op.inputs if t.name not in fed), *op.control_inputs):
            if source not in seen:
                seen.add(source)
                pending.append(source)
    return [
        tensor for op in graph.get_operations() if op in seen and op._control_flow_context is None
        for tensor in op.outputs if tensor.dtype.base_dtype not in _NO_VALUES and graph.is_fetchable(tensor)
    ]


def fed_names(feeds: Any) -> list[str]:
    """The names of the tensors that a run is fed."""
    return [key if isinstance(key, str) else key.name for key in feeds or ()]


def chosen(options: Any, tensors: Sequence[Tensor]) -> list[tuple[Tensor, str, list[str]]]:
    """Of computed tensors those that RunOptions watch, with debug op and URLs."""
    watches: dict[tuple[str, int], list[Any]] = {}
    for watch in options.debug_options.debug_tensor_watch_opts:
        watches.setdefault((watch.node_name, watch.output_slot), []).append(watch)
    found: dict[tuple[Tensor, str], list[str]] = {}
    for tensor in tensors:
        for node in (tensor.op.name, "*"):
            for slot in (tensor.value_index, -1):
                for watch in watches.get((node, slot), ()):
                    for debug_op in watch.debug_ops or [DEBUG_OP]:
                        urls = found.setdefault((tensor, debug_op), [])
                        urls += [url for url in watch.debug_urls if url not in urls]
    return [(tensor, debug_op, urls) for (tensor, debug_op), urls in found.items()]


def folder_of(url: str) -> str:
    """The folder that a URL names.

    Raises:
        NotImplementedError: It names a server.
    """
    if not url.startswith(_FILE):
        raise NotImplementedError(f"dumps go to folders (file://...); {url} names a server of TensorFlow's debugger")
    return url.removeprefix(_FILE)


def debug_value(debug_op: str, tensor: Tensor, value: Any) -> Any:
    """What a debug op makes of the value of a tensor; None if it cannot take it.

    Raises:
        NotImplementedError: There is no such op here, or it has parameters.
    """
    if debug_op == DEBUG_OP:
        return value
    if debug_op not in ("DebugNanCount", "DebugNumericSummary"):
        raise NotImplementedError(f"the debug op {debug_op}")
    try:
        return nan_count(value) if debug_op == "DebugNanCount" else numeric_summary(value, tensor.dtype.base_dtype)
    except InvalidArgumentError:
        return None


@provides("ossia_functions", "watched_run")
def watched_run(session: Any, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
    """Run with what RunOptions watch, and dump it."""
    from ossia_debugging.dumps.writing import dump

    watches = chosen(options, computed(session.graph, fetches, feed_dict))
    folders = {url: folder_of(url) for _, _, urls in watches for url in urls}
    plain = type(options)()
    plain.CopyFrom(options)
    plain.ClearField("debug_options")
    result, values = session.run([fetches, [tensor for tensor, _, _ in watches]], feed_dict, plain, run_metadata)
    for url, folder in folders.items():
        dump(
            folder, session.graph,
            [(t, debug_op, value) for (t, debug_op, urls), value in zip(watches, values, strict=True) if url in urls],
            fetches, feed_dict, options.debug_options.global_step,
        )
    return result


def watches_of(watch_fn: Callable | None, fetches: Any, feed_dict: Any) -> WatchOptions:
    """What the function of a debugging session says of a run: options, or a debug op, or several with patterns."""
    if watch_fn is None:
        return WatchOptions()
    said = watch_fn(fetches, feed_dict)
    return WatchOptions(*said) if isinstance(said, tuple) else said
