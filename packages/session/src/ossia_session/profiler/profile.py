"""`tf.profiler`: profiles of graphs and of traced runs, and advice on them."""
from __future__ import annotations

import os
import sys
from typing import Any

from ossia_core.files import file_system
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import errors
from ossia_core.plugins.api_table import public
from ossia_session.profiler import advice, measures, text, views
from ossia_session.profiler.options import ProfileOptionBuilder

_ADVISES_ALL: dict[str, dict] = {
    "ExpensiveOperationChecker": {}, "AcceleratorUtilizationChecker": {}, "JobChecker": {}, "OperationChecker": {},
}
_NOTHING_ASKED: dict[str, Any] = {  # what stands for options that are not given
    **dict.fromkeys([f"{what}_regexes" for what in ("start_name", "trim_name", "show_name", "hide_name")], ()),
    "account_type_regexes": (),
    "select": (),
    "max_depth": 10, "order_by": "name", "account_displayed_op_only": False, "step": -1, "output": "stdout",
}
_TREES = {"scope": views.scopes, "graph": views.edges, "code": views.lines}


@public("profiler.profile")
def profile(
    graph: Any = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope", options: Any = 0
) -> Any:
    """Counts what a graph has and what a traced run took, and prints it.

    Args:
        graph: The graph; the default graph if None.
        run_meta: The RunMetadata of a run with `trace_level=FULL_TRACE`, for times and memory.
        op_log: An OpLogProto with more types and operations of nodes.
        cmd: "scope" (by names), "graph" (by edges), "op" (by op types) or "code" (by lines of the program).
        options: What a `ProfileOptionBuilder` builds; by default the parameters of trainable variables.

    Returns:
        A GraphNodeProto for scopes and graphs, a MultiGraphNodeProto for ops and code.

    Raises:
        InvalidArgumentError: Another `cmd`.
        NotImplementedError: Output as a timeline or for pprof.
    """
    found = measures.measure(graph or get_default_graph(), op_log)
    if run_meta is not None:
        measures.add_run(found, run_meta)
    return _profiled(found, cmd, ProfileOptionBuilder.trainable_variables_parameter() if options == 0 else options)


def _profiled(found: dict[str, measures.Measured], cmd: str, options: dict[str, Any]) -> Any:
    if cmd != "op" and cmd not in _TREES:
        raise errors.InvalidArgumentError(None, None, f"unknown cmd: {cmd}\n")
    options = {**_NOTHING_ASKED, **options}
    kind, _, where = options["output"].partition(":")
    if kind not in ("stdout", "none", "file"):
        raise NotImplementedError(f"tf.profiler with output as {kind}; `stdout`, `file` and `none` are there.")
    from ossia_core.proto import GraphNodeProto, MultiGraphNodeProto

    if cmd == "op":
        entries = views.types(found, options)
        body, visible = views.list_text(entries, options)
        result = _chain(visible, entries, MultiGraphNodeProto)
    else:
        root = views.shown(_TREES[cmd](found), options, parents=cmd != "graph")
        body = views.tree_text(root, options)
        result = _message(root, MultiGraphNodeProto if cmd == "code" else GraphNodeProto)
    report = text.heading(cmd, options["select"]) + body
    if kind == "stdout":
        rule = "=" * 18
        sys.stdout.write(
            f"Parsing Inputs...\n{text.options(options)}\n{rule}Model Analysis Report======================\n{report}\n"
            f"======================End of Report==========================\n"
        )
        sys.stdout.flush()
    else:
        sys.stdout.write("Parsing Inputs...\n")
    if kind == "file":
        path = where.partition("outfile=")[2]
        with file_system(path).open(path, "wb") as file:
            file.write(report.encode())
    return result


_FIELDS = {  # of the messages, by what they count
    "micros": "exec_micros", "accelerator_micros": "accelerator_exec_micros", "cpu_micros": "cpu_exec_micros",
    "bytes": "requested_bytes", "peak_bytes": "peak_bytes", "residual_bytes": "residual_bytes",
    "output_bytes": "output_bytes", "params": "parameters", "float_ops": "float_ops",
}


def _message(root: views.Entry, kind: Any) -> Any:
    made = kind()
    pending = [(root, made)]
    while pending:
        entry, message = pending.pop()
        message.name = entry.name
        for key, field in _FIELDS.items():
            setattr(message, field, entry.numbers[key] if entry.total["own"] and entry.name != views.ROOT else 0)
            setattr(message, f"total_{field}", entry.total[key])
        if hasattr(message, "total_definition_count"):
            message.run_count, message.total_run_count = entry.numbers["runs"], entry.total["runs"]
            message.total_definition_count = entry.total["definitions"]
            message.devices.extend(sorted(entry.devices))
        pending += [(child, message.children.add()) for child in entry.children]
    return made


def _chain(visible: list[views.Entry], entries: list[views.Entry], kind: Any) -> Any:
    """A message in which each op type is the child of the one before, as totals are those from it on."""
    made = message = kind(name=views.ROOT)
    rest = {key: sum(entry.numbers[key] for entry in entries) for key in _FIELDS}
    for key, field in _FIELDS.items():
        setattr(made, f"total_{field}", rest[key])
    for entry in visible:
        message = message.children.add(name=entry.name)
        for key, field in _FIELDS.items():
            setattr(message, field, entry.numbers[key])
            setattr(message, f"total_{field}", rest[key])
            rest[key] -= entry.numbers[key]
    return made


@public("profiler.advise")
def advise(graph: Any = None, run_meta: Any = None, options: Any = 0) -> Any:
    """Says of a traced run what takes most time, and what could be changed.

    Args:
        graph: The graph; the default graph if None.
        run_meta: The RunMetadata of the run.
        options: A dict whose keys name the checkers; by default all.

    Returns:
        An AdviceProto with the reports of the checkers, which are printed, too.
    """
    found = measures.measure(graph or get_default_graph())
    if run_meta is not None:
        measures.add_run(found, run_meta)
    sys.stdout.write("Parsing Inputs...\n")
    return advice.advise(found, _ADVISES_ALL if options == 0 else options)


@public("profiler.write_op_log")
def write_op_log(
    graph: Any, log_dir: str, op_log: Any = None, run_meta: Any = None, add_trace: bool = True
) -> None:
    """Writes what is known of the nodes, their types and operations and where they were made, to `log_dir/tfprof_log`.

    Args:
        graph: The graph; the default graph if None.
        log_dir: The directory.
        op_log: An OpLogProto to start from.
        run_meta: Accepted for compatibility; its shapes are not needed.
        add_trace: Whether to write which lines of the program made the nodes.
    """
    from ossia_core.proto import OpLogProto

    made = OpLogProto()
    if op_log is not None:
        made.CopyFrom(op_log)
    entries = {entry.name: entry for entry in made.log_entries}
    numbers: dict[str, int] = {}
    for name, node in measures.measure(graph or get_default_graph(), op_log).items():
        types = sorted(node.types & {measures.TRAINABLE})
        if not (types or node.numbers["float_ops"] or add_trace or name in entries):
            continue
        entry = entries.get(name) or made.log_entries.add(name=name)
        entry.float_ops = entry.float_ops or node.numbers["float_ops"]
        entry.types.extend(kind for kind in types if kind not in entry.types)
        for file, line, function, source in node.trace if add_trace and not entry.code_def.traces else ():
            ids = [numbers.setdefault(each or "", len(numbers) + 1) for each in (file, function, source)]
            entry.code_def.traces.add(file_id=ids[0], lineno=line, function_id=ids[1], line_id=ids[2])
    for string, number in numbers.items():
        made.id_to_string[number] = string
    path = os.path.join(log_dir, "tfprof_log")
    with file_system(path).open(path, "wb") as file:
        file.write(made.SerializeToString(deterministic=True))


@public("profiler.Profiler")
class Profiler:
    """Profiles of several traced steps of one graph.

    Args:
        graph: The graph; the default graph if None.
        op_log: An OpLogProto with more types and operations of nodes.
    """

    def __init__(self, graph: Any = None, op_log: Any = None) -> None:
        self._graph = graph or get_default_graph()
        self._op_log = op_log
        self._steps: dict[int, Any] = {}

    def add_step(self, step: int, run_meta: Any) -> None:
        """Adds the RunMetadata of a step."""
        self._steps[step] = run_meta

    def _found(self, step: int = -1) -> dict[str, measures.Measured]:
        found = measures.measure(self._graph, self._op_log)
        if step >= 0 and step not in self._steps:
            raise errors.InvalidArgumentError(None, None, f"step {step} was not added; there are {sorted(self._steps)}")
        chosen = list(self._steps.values()) if step < 0 else [self._steps[step]]
        for run_meta in chosen:
            measures.add_run(found, run_meta, share=len(chosen))
        return found

    def _profile(self, cmd: str, options: dict[str, Any]) -> Any:
        return _profiled(self._found(options.get("step", -1)), cmd, options)

    def profile_python(self, options: dict[str, Any]) -> Any:
        """A profile by the lines of the program; see `tf.profiler.profile`."""
        return self._profile("code", options)

    def profile_operations(self, options: dict[str, Any]) -> Any:
        """A profile by op types; see `tf.profiler.profile`."""
        return self._profile("op", options)

    def profile_name_scope(self, options: dict[str, Any]) -> Any:
        """A profile by name scopes; see `tf.profiler.profile`."""
        return self._profile("scope", options)

    def profile_graph(self, options: dict[str, Any]) -> Any:
        """A profile by edges; see `tf.profiler.profile`."""
        return self._profile("graph", options)

    def advise(self, options: dict[str, Any]) -> Any:
        """Advice on the steps; see `tf.profiler.advise`."""
        return advice.advise(self._found(), options)

    def serialize_to_string(self) -> bytes:
        """What is known of the nodes, as the bytes of an OpLogProto."""
        from ossia_core.proto import OpLogProto

        made = OpLogProto()
        for name, node in self._found().items():
            made.log_entries.add(name=name, float_ops=node.numbers["float_ops"], types=sorted(node.types))
        return made.SerializeToString(deterministic=True)
