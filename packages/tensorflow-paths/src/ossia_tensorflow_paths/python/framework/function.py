"""`framework.function`: Python functions as functions of a graph's library, which nodes of their own op type call."""

from __future__ import annotations

import base64
import hashlib
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ossia as tf
from ossia_functions import library
from ossia_functions.func_graph import FuncGraph
from ossia_functions.function_def import function_def

_OPTIONS = {
    "noinline": "_noinline", "compiled": "_XlaCompile", "separate_compiled_gradients": "_XlaSeparateCompiledGradients"
}


class Defun:
    """A decorator that makes a function of the library of a Python function of tensors.

    Args:
        *input_types: The dtypes of the arguments. Without any, a function that has arguments is made anew for each
            list of dtypes that it is called with.
        **kwargs: `func_name`, the name; `grad_func`, another such function that takes the arguments and the gradients
            of the results; `python_grad_func`, a Python function of the call's node and those gradients;
            `out_names`, the names of the results; `shape_func`, a function from a call's node to the shapes of its
            results; `noinline` and `compiled`, which are kept with the function.
    """

    def __init__(self, *input_types: Any, **kwargs: Any) -> None:
        self._types = [tf.as_dtype(dtype) for dtype in input_types]
        self._options = kwargs

    def __call__(self, func: Callable[..., Any]) -> DefinedFunction | OverloadedFunction:
        """The function.

        Raises:
            ValueError: `func` is no function, has defaults or keyword arguments, or does not take as many arguments
                as there are dtypes.
        """
        if not callable(func):
            raise ValueError(f"function {func} must be callable")
        spec = inspect.getfullargspec(func)
        if spec.defaults or spec.varkw:
            raise ValueError(
                f"function with argument defaults or keywords arguments are not supported. {func} has defaults "
                f"{spec.defaults} and keywords {spec.varkw}."
            )
        names = spec.args[1:] if inspect.ismethod(func) else spec.args
        if self._types:
            if len(names) > len(self._types) or (len(names) < len(self._types) and not spec.varargs):
                count = "more" if len(names) > len(self._types) else "fewer"
                raise ValueError(f"The function has {count} arguments than the number of specified input types.")
            names = [*names, *(f"arg{i}" for i in range(len(names), len(self._types)))]
        elif names or spec.varargs:
            return OverloadedFunction(func, names, self._options)
        return DefinedFunction(func, names, self._types, **self._options)


class DefinedFunction:
    """A function of given argument dtypes; it is traced when it is first called or its definition asked for.

    Attributes:
        python_grad_func: The Python function that differentiates calls, or None.
        declared_input_types: The dtypes of the arguments.
    """

    def __init__(
        self, func: Callable[..., Any], names: Sequence[str], types: Sequence[Any], func_name: str | None = None,
        grad_func: DefinedFunction | None = None, python_grad_func: Callable[..., Any] | None = None,
        out_names: Sequence[str] | None = None, shape_func: Callable[[Any], Any] | None = None,
        capture_by_value: bool = False, **options: Any,
    ) -> None:
        self._func, self._names, self._given_name = func, list(names), func_name
        self._grad_func, self._out_names, self._shape_func = grad_func, out_names, shape_func
        self._options, self._graph, self._capture_by_value = options, tf.get_default_graph(), capture_by_value
        self._function: Any = None
        self._body: Body | None = None
        self.python_grad_func = python_grad_func
        self.declared_input_types = tuple(types)

    @property
    def name(self) -> str:
        """The function's name: as given, or that of the Python function with a digest of the definition."""
        return self._given_name or self._made().name

    @property
    def definition(self) -> Any:
        """The FunctionDef."""
        return self._made().definition

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors of the graph around it that it uses: further inputs of its calls."""
        self._made()
        return [] if self._body is None else self._body.external_captures

    @property
    def stateful_ops(self) -> list[tuple[str, str]]:
        """Names and types of the stateful nodes of the body."""
        self._made()
        nodes = [] if self._body is None else self._body.get_operations()
        return [(op.name, op.type) for op in nodes if op.definition.stateful]

    @property
    def grad_func_name(self) -> str | None:
        """The name of the function that differentiates it."""
        return None if self._grad_func is None else self._grad_func.name

    def set_grad_func(self, grad_func: DefinedFunction) -> None:
        """Sets the function that differentiates it, before it is used.

        Raises:
            ValueError: It has one.
        """
        if self._grad_func is not None:
            raise ValueError(f"{self.name} already has a gradient function")
        self._grad_func = grad_func

    def add_to_graph(self, g: Any) -> None:
        """Puts the function, those that it calls, and its gradient into the library of a graph."""
        function = self._made()
        if self._body is not None:
            for inner in self._body._functions.values():
                library.add(g, inner)
            g._function_gradients.update(self._body._function_gradients)
        library.add(g, function)
        if self._grad_func is not None:
            self._grad_func.add_to_graph(g)
            g._function_gradients[function.name] = self._grad_func.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a node that calls the function.

        Returns:
            The node where there is no result, the result where there is one, else a tuple.

        Raises:
            ValueError: Another number of arguments, or arguments of other dtypes.
        """
        self.add_to_graph(tf.get_default_graph())
        values = [tf.convert_to_tensor(arg) for arg in args] + self.captured_inputs
        name = kwargs.pop("name", None)
        unknown = {key for key in kwargs if key not in _OPTIONS and not key.startswith("experimental_")}
        if unknown:
            raise ValueError(f"Unknown keyword arguments: {kwargs.keys()}")
        wanted = self.definition.signature.input_arg
        if len(values) != len(wanted):
            raise ValueError(f"Expected number of arguments: {len(wanted)}, received: {len(values)}")
        graph = tf.get_default_graph()
        asked = {_OPTIONS.get(key, key): value for key, value in kwargs.items()}
        attrs = {"_disable_call_shape_inference": True, **asked}
        op = graph.create_op(self.name, values, None, name=name, attrs=attrs)
        if self._shape_func is not None:
            for output, shape in zip(op.outputs, self._shape_func(op), strict=True):
                output.set_shape(shape)
        outputs = tuple(op.outputs)
        return op if not outputs else outputs[0] if len(outputs) == 1 else outputs

    def _made(self) -> library.Function:
        if self._function is None:
            attrs = {"_disable_call_shape_inference": True}
            for key, value in self._options.items():
                if key not in _OPTIONS and not key.startswith("experimental_"):
                    raise ValueError(f"Unknown keyword arguments: {self._options.keys()}")
                attrs[_OPTIONS.get(key, key)] = value
            name = self._given_name or "_".join(
                [self._func.__name__, *([] if self._grad_func is None else [self._grad_func.name])]
            )
            self._body = func_graph_from_py_func(
                self._func, self._names, self.declared_input_types, name, self._graph, self._capture_by_value
            )
            definition = function_def(self._body, name, attrs, self._out_names)
            if self._given_name is None:
                digest = hashlib.sha1(definition.SerializeToString(deterministic=True)).digest()
                definition.signature.name += "_" + base64.b64encode(digest, altchars=b"00").decode()[:11]
            definition.signature.description = self._func.__doc__ or ""
            self._function = library.Function(definition)
            self._function.gradient = self.python_grad_func
        return self._function


def _type_list_to_str(types: Sequence[Any]) -> str:
    """Dtypes in short, as the names of functions for some dtypes end: "f32i64"."""
    names = ("int8" if dtype == tf.uint8 else dtype.name for dtype in types)
    return "".join(re.sub("(q?)([a-z])[a-z]*", r"\1\2", name) for name in names)


class OverloadedFunction:
    """A function without declared dtypes: one `DefinedFunction` for each list of dtypes that it is called with."""

    def __init__(self, func: Callable[..., Any], names: Sequence[str], options: dict[str, Any]) -> None:
        self._func, self._names, self._options = func, list(names), dict(options)
        self._name = self._options.pop("func_name", None)
        self._made: dict[tuple[Any, ...], DefinedFunction] = {}

    def instantiate(self, input_types: Sequence[Any]) -> DefinedFunction:
        """The function for these dtypes."""
        types = tuple(tf.as_dtype(dtype).base_dtype for dtype in input_types)
        if types not in self._made:
            options = dict(self._options)
            gradient = options.pop("grad_func", None)
            if self._name is not None:
                options["func_name"] = f"{self._name}_{_type_list_to_str(types)}"
            names = [*self._names, *(f"arg{i}" for i in range(len(types) - len(self._names)))]
            made = self._made[types] = DefinedFunction(self._func, names, types, **options)
            if gradient is not None:
                results = [arg.type for arg in made.definition.signature.output_arg]
                made.set_grad_func(gradient.instantiate([*types, *results]))
        return self._made[types]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function for the dtypes of the arguments."""
        values = [tf.convert_to_tensor(arg) for arg in args]
        return self.instantiate([value.dtype for value in values])(*values, **kwargs)


class Body(FuncGraph):
    """The graph of a function's body, with a library of its own."""

    def __init__(self, name: str, outer: Any, by_value: bool = False) -> None:
        super().__init__(name, outer)
        self._functions, self._function_gradients = {}, {}
        self.extra_vars: list[Any] = []
        self._by_value = by_value
        self._copies: dict[Any, Any] = {}

    def capture(self, tensor: Any, name: str | None = None) -> Any:
        """What stands for a tensor of the graph around: a placeholder, named after the node that uses it; by value, a
        copy of what makes it.

        Raises:
            ValueError: What makes it has a state or is fed, and cannot be copied.
        """
        if self._by_value and tensor.graph is not self:
            return self._copied(tensor.op).outputs[tensor.value_index]
        return super().capture(tensor, name or "placeholder")

    def control_dependencies(self, control_inputs: Any) -> Any:
        """As `Graph.control_dependencies`; nodes of the graph around cannot be followed.

        Raises:
            ValueError: Something is of another graph.
        """
        return tf.Graph.control_dependencies(self, control_inputs)

    def _copied(self, op: Any) -> Any:
        if op not in self._copies:
            if op._is_stateful or op.type in ("Placeholder", "PlaceholderV2"):
                kind = "stateful node" if op._is_stateful else "placeholder"
                raise ValueError(f"Cannot capture a {kind} (name:{op.name}, type:{op.type}) by value.")
            inputs = [self.capture(tensor) for tensor in op.inputs]
            with self.control_dependencies([self._copied(control) for control in op.control_inputs]):
                self._copies[op] = self.create_op(op.type, inputs, name=op.name, attrs=dict(op.attrs))
        return self._copies[op]

    def variable(self, getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """A variable of the graph around the function; of a resource variable, its value."""
        with self.outer_graph.as_default():
            made = getter(*args, **kwargs)
            self.extra_vars.append(made)
            return made.value() if kwargs.get("use_resource") else made


def func_graph_from_py_func(
    func: Callable[..., Any], arg_names: Sequence[str], arg_types: Sequence[Any], name: str | None = None,
    outer: Any = None, capture_by_value: bool = False,
) -> Body:
    """The body that a Python function builds from placeholders of the given names and dtypes."""
    body = Body(name or func.__name__, tf.get_default_graph() if outer is None else outer, capture_by_value)
    with body.as_default(), tf.variable_scope(tf.get_variable_scope(), custom_getter=body.variable, reuse=None) as _:
        body.inputs = [body.placeholder(dtype, None, arg) for arg, dtype in zip(arg_names, arg_types, strict=True)]
        result = func(*body.inputs)
        if result is None or isinstance(result, tf.Operation):
            result = []
        elif isinstance(result, (tf.IndexedSlices, tf.SparseTensor)) or not isinstance(result, (list, tuple)):
            result = [result]
        if any(value is None for value in result):
            raise ValueError(f"Function {body.name} can not return None.")
        body.outputs = [body.capture(tf.convert_to_tensor(value)) for value in result]
    return body


def _current() -> Body | None:
    graph = tf.get_default_graph()
    return graph if isinstance(graph, Body) else None


def get_extra_vars() -> list[Any]:
    """The variables that the function being traced has asked for."""
    body = _current()
    return [] if body is None else body.extra_vars


def get_extra_inputs() -> list[Any]:
    """The tensors of the graph around it that the function being traced has used."""
    body = _current()
    return [] if body is None else body.external_captures


def get_extra_args() -> list[Any]:
    """What stands for those tensors inside."""
    body = _current()
    return [] if body is None else [body.captures[tensor] for tensor in body.external_captures]


def from_library(lib: Any) -> Iterable[DefinedFunction]:
    """The functions of a FunctionDefLibrary, with their gradients.

    Raises:
        ValueError: The gradient of a function is not in the library.
    """
    made = {definition.signature.name: _from_definition(definition) for definition in lib.function}
    for entry in lib.gradient:
        for name in (entry.function_name, entry.gradient_func):
            if name not in made:
                raise ValueError(f"FunctionDefLibrary missing '{name}' FunctionDef")
        made[entry.function_name].set_grad_func(made[entry.gradient_func])
    return made.values()


def _from_definition(definition: Any) -> DefinedFunction:
    types = [tf.as_dtype(arg.type) for arg in definition.signature.input_arg]
    made = DefinedFunction(
        lambda *_: None, [arg.name for arg in definition.signature.input_arg], types, definition.signature.name
    )
    made._function = library.Function(definition)
    return made


_DefinedFunction, _OverloadedFunction = DefinedFunction, OverloadedFunction
