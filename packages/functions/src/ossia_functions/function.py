"""`tf.function` and `tf.wrap_function`: Python functions traced once per kind of arguments, and called as nodes."""
from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.graph import Graph
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes, nest
from ossia_core.names.structures import CompositeTensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.variable_ops import handle_data
from ossia_core.variables.creation import variable_creator_scope
from ossia_core.variables.resource import ResourceVariable
from ossia_functions import library, ops
from ossia_functions.func_graph import FuncGraph
from ossia_functions.function_def import function_def
from ossia_functions.gradients import CONFIG, traced_call_gradient
from ossia_functions.tracing import after_captures, order_effects, packed, returned_tensor

_run_eagerly = False


@public("config.experimental_run_functions_eagerly")
def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether calls of `tf.function` functions build what the Python function builds, rather than a call node."""
    global _run_eagerly
    _run_eagerly = bool(run_eagerly)


class ConcreteFunction:
    """A traced function: a body for one kind of arguments, called as a node.

    Attributes:
      graph: the body.
      structured_input_signature: what the function was traced for: positional and keyword arguments.
    """

    def __init__(self, graph: FuncGraph, structured_input_signature: Any = None) -> None:
        self.graph = graph
        self.structured_input_signature = structured_input_signature
        self._function = library.Function(function_def(graph, graph.name), graph)
        self._function.gradient = traced_call_gradient
        self._captured = graph.external_captures

    @property
    def name(self) -> bytes:
        """The function's name in libraries."""
        return self.graph.name.encode()

    @property
    def definition(self) -> Any:
        """The FunctionDef."""
        return self._function.definition

    @property
    def inputs(self) -> list[Tensor]:
        """The body's inputs, captured ones last."""
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[Tensor]:
        """The tensors of the body that are returned."""
        return list(self.graph.outputs)

    @property
    def structured_outputs(self) -> Any:
        """The body's results in the structure that the Python function returned."""
        return self.graph.structured_outputs

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors from outside that the body uses."""
        return list(self._captured)

    @property
    def variables(self) -> tuple:
        """The resource variables that the body uses."""
        return self.graph.variables

    @property
    def trainable_variables(self) -> tuple:
        """Those of the variables that are trainable."""
        return tuple(v for v in self.graph.variables if v.trainable)

    @property
    def output_shapes(self) -> Any:
        """The static shapes of the results, in their structure."""
        return nest.map_structure(lambda t: getattr(t, "shape", None), self.graph.structured_outputs)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, in their structure."""
        return nest.map_structure(lambda t: getattr(t, "dtype", None), self.graph.structured_outputs)

    def add_to_graph(self, graph: Graph | None = None) -> None:
        """Put the function, and those that it calls, into a graph's library."""
        graph = get_default_graph() if graph is None else graph
        for function in (self._function, *self._called()):
            library.add(graph, function)

    def _called(self) -> list[library.Function]:
        """The functions that the body calls, and those that they call."""
        known = self.graph._functions
        found: dict[str, library.Function] = {}
        pending = [self._function.definition]
        while pending:
            for node in pending.pop().node_def:
                names = [node.op]
                for value in node.attr.values():
                    names += [value.func.name] if value.HasField("func") else [f.name for f in value.list.func]
                for name in names:
                    if name in known and name not in found:
                        found[name] = known[name]
                        pending.append(known[name].definition)
        return list(found.values())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function with tensors for its arguments.

        Raises:
          TypeError: another number of arguments than the function has.
          ValueError: an argument of another shape.
        """
        tensors = [
            a for a in nest.flatten((args, kwargs), expand_composites=True)
            if isinstance(a, (Tensor, ResourceVariable, np.ndarray, np.generic, int, float))
        ]
        wanted = self.graph.inputs[:len(self.graph.inputs) - len(self._captured)]
        if len(tensors) < len(wanted):
            raise TypeError(f"{self.graph.name}() takes {len(wanted)} tensors, {len(tensors)} were given")
        if len(tensors) > len(wanted):
            tensors = [t for t in tensors if isinstance(t, Tensor)]
            if len(tensors) != len(wanted):
                raise TypeError(f"{self.graph.name}() takes {len(wanted)} tensors, {len(tensors)} were given")
        given = [convert_to_tensor(t, dtype=p.dtype.base_dtype) for t, p in zip(tensors, wanted, strict=True)]
        for tensor, placeholder in zip(given, wanted, strict=True):
            if not placeholder.shape.is_compatible_with(tensor.shape):
                raise ValueError(
                    f"The argument {placeholder.op.name!r} (value {tensor}) is not compatible with the shape this "
                    f"function was traced with: expected {placeholder.shape}, got {tensor.shape}."
                )
        return self.call_flat(given)

    def call_flat(self, tensors: Sequence[Tensor]) -> Any:
        """Add a call node with these arguments; the results in their structure, or the node if there are none."""
        self.add_to_graph()
        for variable in self.graph.variables:
            variable._note_read()
        inputs = [*tensors, *self._captured]
        stateful = self._function.definition.signature.is_stateful
        definition = ops.stateful_partitioned_call_op if stateful else ops.partitioned_call_op
        with after_captures([self.graph]):
            made = definition(
                inputs, Tout=[t.dtype.base_dtype for t in self.graph.outputs], f=library.reference(self.graph.name),
                config_proto=CONFIG,
            )
        outs = made if isinstance(made, list) else []
        # In a branch, nodes are made after the call: the Switch of what it takes.
        node = outs[0].op if outs else get_default_graph()._operations[-1] if isinstance(made, list) else made
        number = self.graph.name.rpartition("_")[2]
        node._set_attr("_gradient_op_type", f"PartitionedCall-{number}".encode())
        for out, source in zip(outs, self.graph.outputs, strict=True):
            out.set_shape(source.shape)
            data = handle_data(source) if source.dtype is dtypes.resource else None
            if data is not None:
                out._handle_data = data
        if self.graph.structured_outputs is None:
            return node
        return packed(self.graph.structured_outputs, outs)


def _placeholder(graph: FuncGraph, spec: Any, name: str | None) -> Tensor:
    made = graph.placeholder(spec.dtype, spec.shape, name)
    if name is not None:
        made.op._set_attr("_user_specified_name", name.encode())
    graph.inputs.append(made)
    return made


def _is_argument(leaf: Any) -> bool:
    return isinstance(leaf, (Tensor, TensorSpec))


def trace(fn: Callable, name: str, args: tuple, kwargs: dict, creator: Callable | None = None,
          names: Sequence[str] = ()) -> ConcreteFunction:
    """Trace a Python function.

    Args:
      fn: the function.
      name: its name, to which a number is added.
      args: positional arguments; tensors and TensorSpecs in them become arguments of the traced function.
      kwargs: keyword arguments, likewise.
      creator: a variable creator in force while tracing.
      names: the names of the positional arguments.

    Raises:
      TypeError: it returns something that is no tensor.
    """
    graph = FuncGraph(library.unique_name(f"__inference_{name}"))
    graph.orders_effects = True
    seen: dict[Any, None] = {}
    graph._reads_seen = [seen]
    with graph.as_default():
        given = []
        for i, arg in enumerate(args):
            label = names[i] if i < len(names) else None
            given.append(_with_placeholders(graph, arg, label))
        keywords = {key: _with_placeholders(graph, kwargs[key], key) for key in sorted(kwargs)}
        scope = variable_creator_scope(creator) if creator is not None else None
        if scope is None:
            result = fn(*given, **keywords)
        else:
            with scope:
                result = fn(*given, **keywords)
        result = nest.map_structure(
            lambda leaf: None if leaf is None else returned_tensor(graph, fn, leaf), result, expand_composites=True
        )
        identity = lookup("Identity")
        leaves = nest.flatten(result, expand_composites=True)
        finals = [
            None if leaf is None else leaf.with_flow(identity(leaf.flow)) if hasattr(leaf, "with_flow")
            else identity(leaf)
            for leaf in leaves
        ]
        must = order_effects(graph._operations)
        for final in finals:
            if final is not None:
                op = getattr(final, "flow", final).op
                op._add_control_inputs([m for m in must if m is not op])
    graph.structured_outputs = (
        None if result is None else nest.pack_sequence_as(result, finals, expand_composites=True)
    )
    graph.outputs = [getattr(t, "flow", t) for t in finals if t is not None]
    graph.control_outputs = must
    graph.inputs = [t for t in graph.inputs if t not in set(graph.captures.values())] + [
        t for t in graph.inputs if t in set(graph.captures.values())
    ]
    captured = {id(t) for t in graph.captures}
    graph.variables = tuple(v for v in seen if id(v.handle) in captured)
    return ConcreteFunction(graph, (tuple(args), dict(kwargs)))


def _with_placeholders(graph: FuncGraph, arg: Any, name: str | None) -> Any:
    return nest.map_structure(
        lambda leaf: _placeholder(graph, leaf, getattr(leaf, "name", None) if isinstance(leaf, TensorSpec)
                                  and leaf.name else name) if _is_argument(leaf) else leaf,
        arg,
        expand_composites=True,
    )


class Function:
    """A Python function that is traced for each kind of arguments and then called as a node; see `tf.function`."""

    def __init__(self, python_function: Callable, name: str, input_signature: Any = None) -> None:
        self._python_function, self._name = python_function, name
        self._signature = None if input_signature is None else tuple(input_signature)
        self._traced: dict[Any, ConcreteFunction] = {}
        self._created: list[Any] = []
        self._called_before = False
        self._bound: weakref.WeakKeyDictionary[Any, Function] = weakref.WeakKeyDictionary()
        functools.update_wrapper(self, python_function)

    @property
    def python_function(self) -> Callable:
        """The Python function."""
        return self._python_function

    @property
    def input_signature(self) -> tuple | None:
        """The TensorSpecs given for the arguments."""
        return self._signature

    def __get__(self, instance: Any, owner: Any) -> Function:
        if instance is None:
            return self
        found = self._bound.get(instance)
        if found is None:
            bound = functools.partial(self._python_function, weakref.proxy(instance))
            functools.update_wrapper(bound, self._python_function)
            found = Function(bound, self._name, self._signature)
            found._python_function = functools.partial(_call_bound, self._python_function, weakref.ref(instance))
            self._bound[instance] = found
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function: traced before, or now."""
        if _run_eagerly:
            return self._python_function(*args, **kwargs)
        args, kwargs = self._canonical(args, kwargs)
        concrete = self._concrete(args, kwargs)
        tensors = [t for t in nest.flatten((args, [kwargs[k] for k in sorted(kwargs)]), expand_composites=True)
                   if isinstance(t, Tensor)]
        return concrete.call_flat(tensors)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The traced function for arguments, which may be TensorSpecs."""
        if self._signature is not None and not args and not kwargs:
            return self._concrete(self._signature, {})
        args, kwargs = self._canonical(args, kwargs)
        return self._concrete(args, kwargs)

    def _parameters(self, count: int) -> list[str]:
        """The names of the first `count` positional arguments."""
        try:
            parameters = list(inspect.signature(self._wrapped()).parameters.values())
        except (TypeError, ValueError):
            return []
        names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        rest = next((p.name for p in parameters if p.kind == p.VAR_POSITIONAL), None)
        return names if rest is None else [*names, *(f"{rest}_{i}" for i in range(max(0, count - len(names))))]

    def _wrapped(self) -> Callable:
        function = self._python_function
        if isinstance(function, functools.partial) and function.func is _call_bound:
            return functools.partial(function.args[0], None)
        return function

    def _canonical(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """The arguments with arrays as tensors, keywords at their positions, defaults filled in.

        Raises:
          TypeError: the Python function does not take such arguments.
          ValueError: they do not fit the input signature.
        """
        try:
            bound = inspect.signature(self._wrapped()).bind(*args, **kwargs)
        except TypeError as e:
            raise TypeError(f"{self._name}() {e}") from None
        bound.apply_defaults()
        args, kwargs = nest.map_structure(_as_argument, (bound.args, bound.kwargs), expand_composites=False)
        if self._signature is not None:
            try:
                flat = nest.flatten_up_to(tuple(self._signature), tuple(args[: len(self._signature)]))
            except ValueError:
                raise ValueError(
                    "Structure of Python function inputs does not match input_signature:\n  inputs: "
                    f"{_listed(args)}\n  input_signature: {_listed(self._signature)}"
                ) from None
            flat += nest.flatten(args[len(self._signature) :])
            specs = nest.flatten(self._signature)
            specs += [None] * (len(flat) - len(specs))
            converted = [
                convert_to_tensor(value, dtype=spec.dtype)
                if spec is not None and not isinstance(value, (Tensor, TensorSpec)) and value is not None else value
                for value, spec in zip(flat, specs, strict=False)
            ]
            if len(flat) != len(specs) or any(
                spec is not None and not spec.is_compatible_with(value)
                for value, spec in zip(converted, specs, strict=False)
            ):
                raise ValueError(
                    f"Python inputs incompatible with input_signature:\n  inputs: {_listed(args)}\n  input_signature: "
                    f"{_listed(self._signature)}"
                )
            signed = nest.pack_sequence_as(tuple(self._signature), converted[: len(nest.flatten(self._signature))])
            rest = converted[len(nest.flatten(self._signature)) :]
            args = (*signed, *nest.pack_sequence_as(tuple(args[len(self._signature) :]), rest))
        return args, kwargs

    def _concrete(self, args: tuple, kwargs: dict) -> ConcreteFunction:
        leaves = nest.flatten((args, [kwargs[k] for k in sorted(kwargs)]), expand_composites=True)
        try:
            specs = [_key(leaf) for leaf in leaves] if self._signature is None else ["signature"]
            key = get_default_graph(), tuple(specs), _structure((args, kwargs)) if self._signature is None else None
            found = self._traced.get(key)
        except TypeError:
            raise TypeError(f"Arguments of a tf.function must be tensors or hashable: {args}, {kwargs}") from None
        if found is None:
            found = self._traced[key] = self._trace(args, kwargs)
        return found

    def _trace(self, args: tuple, kwargs: dict) -> ConcreteFunction:
        if self._signature is not None:
            flat = nest.flatten(self._signature)
            rest = nest.flatten(args)[len(flat):]
            args = nest.pack_sequence_as(args, [*flat, *rest]) if args else args
        names = self._parameters(len(args))
        if not self._called_before:
            self._called_before = True
            created: list[Any] = []

            def creator(next_creator: Callable, **options: Any) -> Any:
                options["use_resource"] = True
                made = next_creator(**options)
                created.append(made)
                return made
            found = trace(self._python_function, self._name, args, kwargs, creator, names)
            self._created = created
            if not created:
                return found
        return trace(self._python_function, self._name, args, kwargs, _no_variables, names)


def _call_bound(function: Callable, instance: weakref.ref, *args: Any, **kwargs: Any) -> Any:
    return function(instance(), *args, **kwargs)


def _no_variables(next_creator: Callable, **options: Any) -> Any:
    raise ValueError("tf.function-decorated function tried to create variables on non-first call.")


def _listed(items: Any) -> str:
    """Arguments or their specs as messages list them."""
    return "(\n" + ",\n".join(f"    {item}" for item in items) + ")"


def _as_argument(leaf: Any) -> Any:
    return convert_to_tensor(leaf) if isinstance(leaf, (np.ndarray, np.generic)) else leaf


def _key(leaf: Any) -> Any:
    if isinstance(leaf, (Tensor, TensorSpec)):
        return "tensor", leaf.dtype, str(leaf.shape)
    if isinstance(leaf, ResourceVariable):
        return "variable", id(leaf)
    hash(leaf)
    return type(leaf), leaf


def _structure(value: Any) -> Any:
    """What tells structures apart, leaves left out."""
    if isinstance(value, dict):
        return "dict", tuple(sorted(map(str, value))), tuple(_structure(value[k]) for k in sorted(value, key=str))
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(_structure(item) for item in value)
    return type(value).__name__ if isinstance(value, CompositeTensor) else None


@public("function")
def function(
    func: Callable | None = None, input_signature: Any = None, autograph: bool = True,
    experimental_autograph_options: Any = None, experimental_relax_shapes: bool = False,
    experimental_compile: bool | None = None,
) -> Any:
    """Make a Python function a function of the graph: traced for each kind of arguments, called as one node.

    Python control flow is followed while tracing; what depends on the values of tensors is written with `tf.cond`,
    `tf.while_loop` and the like.

    Args:
      func: the function; without it the result is a decorator.
      input_signature: TensorSpecs of the arguments; the function is then traced once.
      autograph: accepted; Python code is never rewritten.
      experimental_autograph_options: accepted, likewise.
      experimental_relax_shapes: accepted.
      experimental_compile: accepted.

    Returns:
      A callable with `get_concrete_function`, `python_function` and `input_signature`.

    Raises:
      TypeError: `func` is not callable, or `input_signature` holds something else than TensorSpecs.
    """
    if input_signature is not None:
        if not isinstance(input_signature, (list, tuple)):
            raise TypeError(
                f"Invalid input_signature {input_signature}; input_signature must be a possibly nested sequence of "
                "TensorSpec objects."
            )
        for spec in nest.flatten(input_signature):
            if not isinstance(spec, TensorSpec):
                raise TypeError(
                    f"Invalid input_signature {input_signature}; input_signature must be a possibly nested sequence of "
                    "TensorSpec objects."
                )

    def decorated(inner: Callable) -> Function:
        if not callable(inner):
            raise TypeError("unsupported callable")
        return Function(inner, getattr(inner, "__name__", "function"), input_signature)
    return decorated if func is None else decorated(func)
