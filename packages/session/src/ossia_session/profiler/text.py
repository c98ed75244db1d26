"""How `tf.profiler` writes numbers, columns and headings."""
from __future__ import annotations

from typing import Any

_MEMORY_TEXT = {
    "bytes": "requested bytes", "peak_bytes": "peak bytes", "residual_bytes": "residual bytes",
    "output_bytes": "output bytes",
}
_TIME_TEXT = {
    "micros": "total execution time", "accelerator_micros": "accelerator execution time",
    "cpu_micros": "cpu execution time",
}
_DOC = {
    "bytes": "requested bytes: The memory requested by the operation, accumulatively.",
    "peak_bytes": "peak bytes: The peak amount of memory that the operation is holding at some point.",
    "residual_bytes": "residual bytes: The memory not de-allocated after the operation finishes.",
    "output_bytes": "output bytes: The memory that is output from the operation (not necessarilty allocated by the "
    "operation)",
    "accelerator_micros": "accelerator execution time: Time spent executing on the accelerator. This is normally "
    "measured by the actual hardware library.",
    "cpu_micros": "cpu execution time: The time from the start to the end of the operation. It's the sum of actual cpu "
    "run time plus the time that it spends waiting if part of computation is launched asynchronously.",
    "params": "param: Number of parameters (in the Variable).",
    "float_ops": "flops: Number of float operations. Note: Please read the implementation for the math behind it.",
    "device": "device: which device is placed on.",
    "op_types": "op_types: The attributes of the operation, includes the Kernel name device placed on and user-defined "
    "strings.",
    "occurrence": "occurrence: The number of times it occurs",
    "input_shapes": "input shape: The shape of input tensors",
}
_DOC["micros"] = "\n".join(
    ("total execution time: Sum of accelerator execution time and cpu execution time.", _DOC["cpu_micros"],
     _DOC["accelerator_micros"])
)
_VIEW_DOC = {
    "scope": "scope: The nodes in the model graph are organized by their names, which is hierarchical like filesystem.",
    "op": "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph nodes belonging to the same type are "
    "aggregated together.",
    "code": "code: When python trace is available, the nodes are python lines and their are organized by the python "
    "call stack.",
}
_VIEW_DOC["graph"] = _VIEW_DOC["scope"]
_PRINTED = (
    "max_depth", "min_bytes", "min_peak_bytes", "min_residual_bytes", "min_output_bytes", "min_micros",
    "min_accelerator_micros", "min_cpu_micros", "min_params", "min_float_ops", "min_occurrence", "step", "order_by",
)
_NAMES = ("account_type_regexes", "start_name_regexes", "trim_name_regexes", "show_name_regexes", "hide_name_regexes")


def number(value: int) -> str:
    """A count: 999, 1.23k, 4.56m, 7.89b."""
    for size, unit in ((10**9, "b"), (10**6, "m"), (10**3, "k")):
        if value >= size:
            return f"{value / size:.2f}{unit}"
    return str(value)


def memory(value: int) -> str:
    """Bytes: 12B, 1.23KB, 4.56MB, 7.89GB."""
    for size, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "KB")):
        if value >= size:
            return f"{value / size:.2f}{unit}"
    return f"{value}B"


def time(value: int) -> str:
    """Microseconds: 12us, 1.23ms, 4.56sec."""
    if value >= 10**6:
        return f"{value / 10**6:.2f}sec"
    return f"{value / 10**3:.2f}ms" if value >= 10**3 else f"{value}us"


def columns(select: Any) -> list[str]:
    """What the columns show, in their order, without those that only tell what a node is."""
    chosen = set(select)
    if "micros" in chosen:
        chosen |= {"accelerator_micros", "cpu_micros"}
    return [name for name in (*_MEMORY_TEXT, *_TIME_TEXT, "params", "float_ops") if name in chosen]


def value(column: str, count: int) -> str:
    """A number of a column."""
    return memory(count) if column in _MEMORY_TEXT else time(count) if column in _TIME_TEXT else number(count)


def unit(column: str, *, of_ops: bool) -> str:
    """What stands behind a number of a column."""
    return {"params": " params", "float_ops": " float_ops" if of_ops else " flops"}.get(column, "")


def heading(view: str, select: Any) -> str:
    """The line above the profile, after the documentation of the view and the columns."""
    count = "op occurrence (run|defined)" if view == "op" else "op count (run|defined)"
    names = [{**_MEMORY_TEXT, **_TIME_TEXT, "params": "# parameters", "float_ops": "# float_ops"}[column]
             for column in columns(select)]
    more = {"device": "assigned devices", "op_types": "op types", "occurrence": count, "input_shapes": "input shapes"}
    names += [text for name, text in more.items() if name in select]
    doc = "\n".join(_DOC[name] for name in sorted(set(select)) if name in _DOC)
    return f"\nDoc:\n{_VIEW_DOC[view]}\n{doc}\n\nProfile:\nnode name | {' | '.join(names)}\n"


def options(chosen: dict[str, Any]) -> str:
    """The options, as they stand above a report."""
    rows = [(name, str(chosen.get(name, 0))) for name in _PRINTED]
    rows += [(name, ",".join(chosen[name])) for name in _NAMES]
    rows.append(("account_displayed_op_only", "true" if chosen["account_displayed_op_only"] else "false"))
    rows.append(("select", ",".join(sorted(set(chosen["select"])))))
    rows.append(("output", f"{chosen['output']}:" if ":" not in chosen["output"] else chosen["output"]))
    lines = "".join(f"-{name:<26} {text}\n" for name, text in rows)
    return f"\n{'=' * 25}Options{'=' * 29}\n{lines}"
