"""The op registry: one declaration per op type, parsed at first use, with its shape rule, kernel and gradient."""
from __future__ import annotations

import ast
import collections
import importlib
import inspect
import keyword
import re
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

from ossia_core.declare.facets import Facets
from ossia_core.forks import renewed
from ossia_core.names import dtypes, errors
from ossia_core.names.dtypes import DType
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins import manager as plugins
from ossia_core.plugins.api_table import declared_ops

REGISTRY: dict[str, OpDef] = declared_ops
MISSING: Any = object()
_lock = renewed(threading.RLock())

_ATTR = re.compile(r"\s*(list\((?:\w+|\{[^}]*\})\)|\{[^}]*\}|\w+)\s*(?:>=\s*(-?\d+))?\s*(?:=\s*(.*?))?\s*$", re.S)


class Arg:
    """One input or output of an op: a name, and how its dtype and count follow from the attributes."""

    __slots__ = ("is_list", "is_ref", "name", "number_attr", "type", "type_attr", "type_list_attr")

    def __init__(self, name: str, spec: str, attrs: dict[str, Attr]) -> None:
        self.name = name
        self.type: DType | None = None
        self.type_attr = self.number_attr = self.type_list_attr = None
        spec = spec.strip()
        self.is_ref = spec.startswith("Ref(")
        if self.is_ref:
            spec = spec[4:-1]
        if "*" in spec:
            self.number_attr, spec = (part.strip() for part in spec.split("*"))
        attr = attrs.get(spec)
        if attr is None:
            self.type = dtypes.as_dtype(spec)
        elif attr.kind == "type":
            self.type_attr = spec
        else:
            self.type_list_attr = spec
        self.is_list = bool(self.number_attr or self.type_list_attr)


class Attr:
    """One attribute of an op: its kind, default, minimum and allowed values, from the OpDef notation.

    is_int32: whether the original reads it as a 32-bit integer and refuses others; written `int32` or `list(int32)`.
    """

    __slots__ = ("allowed", "default", "is_int32", "kind", "minimum", "name")

    def __init__(self, name: str, spec: str) -> None:
        match = _ATTR.match(spec)
        if not match:
            raise ValueError(f"attribute {name!r}: cannot read {spec!r}")
        kind, minimum, default = match.groups()
        self.name = name
        self.allowed: tuple | None = None
        inner = kind[5:-1] if kind.startswith("list(") else kind
        if inner.startswith("{"):
            items = [item.strip() for item in inner[1:-1].split(",") if item.strip()]
            if items[0][0] in "'\"":
                self.allowed, base = tuple(ast.literal_eval(item).encode() for item in items), "string"
            else:
                self.allowed, base = tuple(dtypes.as_dtype(item) for item in items), "type"
        else:
            base = inner
        self.is_int32 = base == "int32"
        base = "int" if self.is_int32 else base
        self.kind = f"list({base})" if inner is not kind else base
        self.minimum = int(minimum) if minimum is not None else None
        self.default = MISSING if default is None else _literal(self.kind, default)


def _literal(kind: str, text: str) -> Any:
    """The Python value of a default written in the OpDef notation."""
    if kind.startswith("list("):
        inner = kind[5:-1]
        body = text.strip()[1:-1].strip()
        if inner == "shape":
            return [_shape_literal(part) for part in re.findall(r"\[[^\]]*\]|<unknown>|\{[^}]*\}", body)]
        return [
            _literal(inner, part.strip())
            for part in re.split(r",(?=(?:[^\"']|[\"'][^\"']*[\"'])*$)", body)
            if part.strip()
        ]
    if kind == "type":
        name = text.strip().removeprefix("DT_").lower()
        return dtypes.as_dtype(name)
    if kind == "bool":
        return text.strip().lower() == "true"
    if kind == "string":
        return ast.literal_eval(text).encode() if text[:1] in "'\"" else text.encode()
    if kind == "shape":
        return _shape_literal(text)
    if kind == "tensor":
        return _tensor_literal(text)
    if kind == "float":
        return float(text)
    if kind == "int":
        return int(text)
    return ast.literal_eval(text)


def _tensor_literal(text: str) -> Any:
    from google.protobuf import text_format

    from ossia_core.names import tensor_proto
    from ossia_core.proto import TensorProto
    return tensor_proto.decode(text_format.Parse(text.strip()[1:-1], TensorProto()))


def _shape_literal(text: str) -> Any:
    text = text.strip()
    if text in ("<unknown>", "{ unknown_rank: true }", "?"):
        return TensorShape(None)
    dims = ast.literal_eval("[" + text.strip("[]{}").replace("?", "None") + "]")
    return TensorShape([None if d is None or d < 0 else d for d in dims])


def _split_args(text: str) -> list[tuple[str, str]]:
    return [(name.strip(), spec.strip()) for name, spec in
            (part.split(":", 1) for part in text.split(",") if part.strip())]


class OpDef(Facets):
    """An op type. Calling it adds a node of that type to the default graph."""

    def __init__(self, signature: str, stateful: bool, attrs: dict[str, str], module: str) -> None:
        self._raw = (signature, attrs)
        self.type = signature[:signature.index("(")].strip()
        self.stateful = stateful
        self.module = module
        self.shape_fn: Callable | None = None
        self.kernel_fn: Callable | None = None
        self.kernel_factory: Callable | None = None
        self.resource_fn: Callable | None = None
        self.any_container = False  # whether the names of containers are not looked at
        self.calls: str | None = None  # how nodes of the type call functions, see the hook `ossia_functions`
        self.gradient_fn: Callable | None | Any = MISSING
        self.aliases = False
        self.blocking: int = False
        self._begin()
        self.known_inputs: tuple[str, ...] = ()  # whose shapes have to be known where a node is made
        self.deprecation: tuple[int, str] | None = None  # the graph version without it, and what to use in its place
        self._samples: dict[str, Any] = {}
        self._samples_module: str | None = None

    def __repr__(self) -> str:
        from ossia_core.declare.opdef_text import summary
        return summary(self)

    def __getattr__(self, name: str) -> Any:
        # The parsed parts (inputs, outputs, attrs, ...) come into being at first use.
        if name.startswith("__") or "inputs" in self.__dict__:
            raise AttributeError(name)
        self._parse()
        return getattr(self, name)

    def _parse(self) -> None:
        signature, specs = self._raw
        start = signature.index("(")
        close = _matching(signature, start)
        rest = signature[close + 1:].strip()
        outputs = rest[2:] if rest.startswith("->") else ""
        attrs = {name: Attr(name, spec) for name, spec in specs.items()}
        parsed_inputs = tuple(Arg(n, s, attrs) for n, s in _split_args(signature[start + 1:close]))
        self.outputs = tuple(Arg(n, s, attrs) for n, s in _split_args(outputs))
        self.attrs = attrs
        self.input_names = tuple(arg.name for arg in parsed_inputs)
        inferred = {a for arg in parsed_inputs for a in (arg.type_attr, arg.number_attr, arg.type_list_attr) if a}
        self.inferred_attrs = inferred
        # Attributes without a default come first, as in the original's generated functions.
        explicit = [a for a in attrs.values() if a.name not in inferred]
        self.explicit_attrs = [a for a in explicit if a.default is MISSING] + [
            a for a in explicit if a.default is not MISSING
        ]
        self.int32_attrs = tuple([a.name for a in attrs.values() if a.is_int32])
        self.has_ref_input = any(arg.is_ref for arg in parsed_inputs)
        self.has_list_input = any(arg.is_list for arg in parsed_inputs)
        self.output_tuple: Any = None
        if len(self.outputs) > 1:
            fields = [n + "_" if keyword.iskeyword(n) else n for n in (o.name for o in self.outputs)]
            self.output_tuple = collections.namedtuple(self.type, fields)  # type: ignore[misc]
        self.simple_outputs = not any(arg.is_list for arg in self.outputs)
        only = self.outputs[0] if len(self.outputs) == 1 else None
        self.only_type_attr = only.type_attr if only is not None and not only.is_ref and not only.is_list else None
        self.shape_attrs = _keyword_only(self.shape_fn) if self.shape_fn else ()
        self._check_facets(parsed_inputs)
        self.inputs = parsed_inputs

    # -- the facets, set by decorators ------------------------------------------------------------

    def shape(self, fn: Callable) -> Callable:
        """Set the shape rule: inputs as tensors, attributes by keyword; one shape per output."""
        self.shape_fn = fn
        if "inputs" in self.__dict__:
            self.shape_attrs = _keyword_only(fn)
        return fn

    def kernel(self, fn: Callable | None = None, *, alias: bool = False, blocking: int = False) -> Callable:
        """Set the NumPy kernel. `alias`: it may return its input; `blocking`: 1 if it may wait for another step, 2 if
        only for another of its kind.

        The kernel of an op that is not stateful, or only updates variables, must not look at context variables
        (`contextvars`): it may run without those of the program.
        """
        if fn is None:
            return lambda f: self.kernel(f, alias=alias, blocking=blocking)
        self.kernel_fn, self.aliases, self.blocking = fn, alias, blocking
        return fn

    def kernel_for(self, fn: Callable | None = None, *, alias: bool = False, blocking: int = False) -> Callable:
        """Set a kernel factory: `fn(node)` (or `fn(node, session=...)`) returns the callable of that node."""
        if fn is None:
            return lambda f: self.kernel_for(f, alias=alias, blocking=blocking)
        self.kernel_factory, self.aliases, self.blocking = fn, alias, blocking
        return fn

    def resource(self, fn: Callable | None = None, *, any_container: bool = False) -> Callable:
        """Set how the object behind a handle-making op is found: `fn(node, session)`, once per plan. `any_container`:
        its container may have any name."""
        if fn is None:
            return lambda f: self.resource(f, any_container=any_container)
        self.resource_fn, self.any_container = fn, any_container
        self.makes()
        return fn

    def gradient(self, fn: Callable | None = None, *, first_output: bool = False) -> Callable:
        """Set the gradient: `fn(node, *output_grads)` returns one gradient per input, None where there is none.
        `first_output`: it looks at the gradient of the first output alone."""
        if fn is None:
            return lambda f: self.gradient(f, first_output=first_output)
        self.gradient_fn, self.first_gradient_only = fn, first_output
        return fn

    def gradient_in(self, module: str) -> None:
        """Say which module sets the gradient; it is loaded when the gradient is asked for."""
        if self.gradient_fn is MISSING:
            self.gradient_fn = module

    def not_differentiable(self) -> None:
        """Declare that no gradient flows through the op."""
        self.gradient_fn = None

    def needs_known(self, *inputs: str) -> None:
        """Declare that nodes are refused when they are built if the shape of one of these inputs is not known.

        The shape rule refuses them, with ValueError; the test kit gives these inputs their shapes, and tries without.
        """
        self.known_inputs = inputs

    def removed(self, version: int, instead: str) -> None:
        """Declare that graphs of this version and newer ones do not have the op; older ones are still read.

        Args:
          version: The first version of GraphDefs (`producer`) without it.
          instead: What to use in its place, a sentence without its full stop.
        """
        self.deprecation = version, instead

    def removal(self, version: int) -> str | None:
        """Why a graph of this version cannot have the op; None if it can."""
        if self.deprecation is None or version < self.deprecation[0]:
            return None
        since, instead = self.deprecation
        return (
            f"Op {self.type} is not available in GraphDef version {version}. It has been removed in version {since}. "
            f"{instead}."
        )

    def samples(self, **table: Any) -> None:
        """Add samples for the table tests (inputs, `sample` or `steps`); the keyword says why the sample is there."""
        self._samples.update(table)

    def samples_in(self, module: str) -> None:
        """Say which module adds samples; it is loaded when they are asked for."""
        self._samples_module = module

    @property
    def sample_table(self) -> dict[str, Any]:
        """The samples by reason: those beside the op, and those of the modules that plugins name for it
        (`ossia_core.hookspecs.ossia_samples`)."""
        if self._samples_module is not None:
            importlib.import_module(self._samples_module)
        elsewhere = plugins.table("ossia_samples").get(f"ops/{self.type}")
        if elsewhere is not None:
            importlib.import_module(elsewhere.partition(":")[0])
        return self._samples

    # -- building ---------------------------------------------------------------------------------

    def __call__(self, *inputs: Any, name: str | None = None, **keywords: Any) -> Any:
        return (_build or _loaded_build())(self, inputs, keywords, name)


_build: Callable | None = None


def adds_nodes(fn: Callable) -> Callable:
    """Let `fn(definition, inputs, keywords, name)` be what calls of declarations do; the module of graphs says so."""
    global _build
    _build = fn
    return fn


def _loaded_build() -> Callable:
    plugins.load(plugins.api_table()["Graph"])
    return _build  # type: ignore[return-value]


def _matching(text: str, start: int) -> int:
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    raise ValueError(f"unbalanced parentheses in {text!r}")


def _keyword_only(fn: Callable) -> tuple[str, ...]:
    code = getattr(fn, "__code__", None)
    if code is not None and not hasattr(fn, "__wrapped__") and not hasattr(fn, "__signature__"):
        # Many times faster than a signature, and programs ask for it of every op that they use.
        return code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return tuple(p.name for p in inspect.signature(fn).parameters.values() if p.kind is p.KEYWORD_ONLY)


def keyword_only(fn: Callable) -> tuple[str, ...]:
    """Names of the keyword-only parameters of `fn`: the attributes that a facet asks for."""
    return _keyword_only(fn)


class Sample:
    """Inputs and attributes of one sample call of an op."""

    __slots__ = ("attrs", "inputs")

    def __init__(self, inputs: tuple, attrs: dict[str, Any]) -> None:
        self.inputs, self.attrs = inputs, attrs


def sample(*inputs: Any, **attrs: Any) -> Sample:
    """A sample for an op's table: positional inputs, attributes by keyword."""
    return Sample(inputs, attrs)


class Steps:
    """A sample that runs several times; see `steps`."""

    __slots__ = ("files", "function")

    def __init__(self, function: Callable, files: dict[str, bytes] | None) -> None:
        self.function, self.files = function, files


def steps(function: Callable, files: dict[str, bytes] | None = None) -> Steps:
    """A sample for what one call of an op does not show: a value put, then taken; a file written, then read.

    Args:
      function: A generator function. It builds a small graph, and each `yield` gives what one run of a session fetches:
        a tensor, an operation, or a list of them; the whole graph is built before the first run. If it has a parameter,
        that is a function which turns a value (and a dtype) into a tensor: a constant, or fed through a placeholder of
        partly known or unknown shape, as the test kit wants it.
      files: Contents of files by name. The sample runs in a folder of its own that holds them; without any (None) it
        has no folder.

    The same object may stand with several ops; it goes through the checks once.
    """
    return Steps(function, files)


# `stateful` is typed Any so that a dict of attributes can be unpacked beside it.
def op(signature: str, /, *, stateful: Any = False, **attrs: Any) -> OpDef:
    """Declare an op type.

    Args:
      signature: `"MatMul(a: T, b: T) -> product: T"`, names and types as in TensorFlow's OpDef.
      stateful: whether two nodes with equal inputs may differ (never folded or merged).
      **attrs: attribute specifications in the OpDef notation, e.g. `transpose_a="bool = false"`.

    Returns:
      The OpDef, to be completed by its `shape`, `kernel` and `gradient` decorators.

    Raises:
      ValueError: another module already declares the type.
    """
    definition = OpDef(signature, stateful, attrs, sys._getframe(1).f_globals.get("__name__", ""))
    with _lock:
        other = REGISTRY.get(definition.type)
        if other is not None and other.module != definition.module:
            raise ValueError(f"op {definition.type} is declared in {other.module} and in {definition.module}")
        REGISTRY[definition.type] = definition
    return definition


def find(op_type: str) -> OpDef | None:
    """The OpDef of a type, loading the module that declares it if an installed plugin does; else None."""
    definition = REGISTRY.get(op_type)
    if definition is not None:
        declaring = sys.modules.get(definition.module)
        if getattr(getattr(declaring, "__spec__", None), "_initializing", False):
            # Another thread still imports it: wait, so that all facets are there.
            importlib.import_module(definition.module)
        return definition
    module = plugins.op_table().get(op_type)
    if module is None:
        return None
    importlib.import_module(module)
    return REGISTRY.get(op_type)


def lookup(op_type: str) -> OpDef:
    """Like `find`, but raises NotFoundError for an unknown type."""
    definition = find(op_type)
    if definition is None:
        raise not_registered(op_type)
    return definition


def not_registered(op_type: str, where: str = "") -> Exception:
    """The NotFoundError of a type that nothing declares; `where` says which node has it."""
    import platform

    from ossia_core.plugins import known

    place = f" in binary running on {platform.node()}{f' ({where})' if where else ''}"
    install = known.to_install(known.owners("ossia_ops").get(op_type))
    return errors.NotFoundError(
        None, None, f"Op type not registered '{op_type}'{place}: no installed Ossia package declares it{install}."
    )


def known_types() -> Iterable[str]:
    """All op types that installed packages declare."""
    return sorted({*REGISTRY, *plugins.op_table()})


# -- gradient functions registered by name, as programs do -------------------------------------------

_named_gradients: dict[str, Callable | None] = {}


def register_gradient(op_type: str, fn: Callable | None) -> None:
    """Register a gradient under a type or override name; a second one raises KeyError."""
    declared = op_type in REGISTRY and REGISTRY[op_type].gradient_fn is not MISSING
    if declared or op_type in _named_gradients or op_type in plugins.gradient_table():
        raise KeyError(f"Registering two gradient with name '{op_type}'!")
    _named_gradients[op_type] = fn


def gradient_of(op_type: str) -> Callable | None:
    """The gradient function of a type or override name; None if declared not differentiable.

    Raises:
      LookupError: nothing is registered.
    """
    if op_type in _named_gradients:
        return _named_gradients[op_type]
    definition = find(op_type)
    if definition is None or definition.gradient_fn is MISSING:
        extra = plugins.gradient_table().get(op_type)
        if extra is None:
            raise LookupError(f"gradient registry has no entry for: {op_type}")
        return plugins.load(extra)
    if isinstance(definition.gradient_fn, str):
        importlib.import_module(definition.gradient_fn)
    return definition.gradient_fn
