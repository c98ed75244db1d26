"""Random calls of raw ops: the samples that stand with each op, changed in dtype, values, shape and attributes.

A sample is a call that makes sense; what chance does to it often makes less, and both sides have to agree on that too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from values import MODES, SMOOTH, converted, random_array, record, shorten

from ossia_core.plugins import manager as plugins
from ossia_testkit import op_samples
from ossia_testkit.op_definitions import original_ops

PACKAGES = sorted({module.split(".")[0] for module in plugins.op_table().values()})
NOT_CALLED = {"Abort", "EagerPyFunc", "PyFunc", "PyFuncStateless"}  # end the process, or need a function
NOT_CHANGED = {"config", "container", "name", "seed", "seed2", "shared_name"}  # attributes that only name things
DTYPES = ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
          "uint64", "bool", "complex64", "complex128", "string", "qint8", "quint8", "qint32")  # fmt: skip
ANY_VALUES = (None, None, *MODES)
AWKWARD_VALUES = ("special",)
LIMIT = 20000  # elements of an input


class Input:
    """One tensor of a call. arg: the input it belongs to. dtype: its name. array: its values, as a case holds them."""

    def __init__(self, arg: Any, dtype: str, array: np.ndarray) -> None:
        self.arg, self.dtype, self.array = arg, dtype, array

    @property
    def is_handle(self) -> bool:
        """Whether the op gets the handle of a variable with these values."""
        return self.arg.type is not None and self.arg.type.name == "resource"

    @property
    def is_data(self) -> bool:
        """Whether any values will do, rather than positions or sizes."""
        return self.dtype in (*SMOOTH, "string", "bool") or self.arg.type_attr == "T"

    def reshape(self, shape: tuple[int, ...]) -> None:
        """Repeat or cut the values to another shape."""
        if np.prod(shape) < LIMIT:
            if self.array.size and 0 not in shape:
                self.array = np.resize(self.array, shape).astype(self.array.dtype)
            else:
                self.array = (
                    np.zeros(shape, self.array.dtype) if self.dtype != "string" else np.full(shape, b"", object)
                )


class RawCall:
    """A call of an op that chance changes. inputs: by argument. attrs: those that are given."""

    def __init__(self, definition: Any, values: list, attrs: dict[str, Any], dtypes: list) -> None:
        self.definition, self.attrs = definition, dict(attrs)
        self.inputs: list[tuple[Any, list[Input]]] = []
        for arg, value, kinds in zip(definition.inputs, values, dtypes, strict=True):
            if arg.type is not None and arg.type.name == "resource":
                array = np.asarray(value)
                array = array.astype({"float64": "float32", "int64": "int32"}.get(array.dtype.name, array.dtype))
                self.inputs.append((arg, [Input(arg, array.dtype.name, array)]))
                continue
            items = value if arg.is_list else [value]
            names = [kind.base_dtype.name for kind in kinds]
            found = [Input(arg, name, converted(item, name)) for item, name in zip(items, names, strict=True)]
            self.inputs.append((arg, found))

    @property
    def flat(self) -> list[Input]:
        """All inputs."""
        return [item for _, items in self.inputs for item in items]

    def change_dtypes(self, rng: random.Random, kernels: list[dict[str, list[str]]]) -> None:
        """Other dtypes, mostly such as the original has kernels for."""
        changed = {}
        for attr in self.definition.attrs.values():
            if attr.kind != "type" or rng.random() > 0.6:
                continue
            limits = [set(kernel[attr.name]) for kernel in kernels if attr.name in kernel]
            free = len(limits) < len(kernels) or rng.random() < 0.06
            allowed = [dtype.name for dtype in attr.allowed] if attr.allowed else DTYPES
            options = [name for name in allowed if name in DTYPES and (free or any(name in limit for limit in limits))]
            if options:
                changed[attr.name] = rng.choice(options)
        for item in self.flat:
            name = changed.get(item.arg.type_attr)
            if name and not item.is_handle:
                if (item.dtype == "string") != (name == "string"):
                    item.array = random_array(rng, name, item.array.shape)
                else:
                    item.array = converted(item.array, name)
                item.dtype = name
        self.attrs.update(
            {name: dtype for name, dtype in changed.items() if name not in self.definition.inferred_attrs}
        )

    def change_values(self, rng: random.Random, modes: tuple[str | None, ...]) -> None:
        """Other data; now and then one position or size off by one or two."""
        mode = rng.choice(modes)
        for item in self.flat:
            if mode and item.is_data:
                item.array = random_array(rng, item.dtype, item.array.shape, mode)
        counts = [item for item in self.flat if item.dtype in ("int32", "int64", "uint8") and item.array.size]
        if counts and rng.random() < 0.2:
            item = rng.choice(counts)
            item.array = np.array(item.array)
            place = rng.randrange(item.array.size)
            with np.errstate(all="ignore"):
                item.array.ravel()[place : place + 1] += np.array([rng.choice([1, 2, -1])]).astype(item.array.dtype)

    def change_shapes(self, rng: random.Random) -> None:
        """One size replaced wherever it occurs, or one input given another rank or size."""
        sizes = sorted({size for item in self.flat for size in item.array.shape})
        chance = rng.random()
        if chance < 0.25 and sizes:
            old = rng.choice(sizes)
            new = rng.choice([0, 1, 2, 3, 5, old + 1])
            for item in self.flat:
                item.reshape(tuple(new if size == old else size for size in item.array.shape))
        elif chance < 0.35 and self.flat:
            item = rng.choice(self.flat)
            shape = list(item.array.shape)
            kind = rng.choice("before behind less other".split() if shape else ["before"])
            if kind == "less":
                del shape[rng.randrange(len(shape))]
            elif kind == "other":
                shape[rng.randrange(len(shape))] = rng.choice([0, 1, 2, 4])
            else:
                shape.insert(0 if kind == "before" else len(shape), rng.choice([1, 2, 3]))
            item.reshape(tuple(shape))

    def change_attrs(self, rng: random.Random) -> None:
        """One attribute other than it was, in its range or out of it."""
        kinds = ("bool", "int", "float", "string")
        options = [a for a in self.definition.explicit_attrs if a.kind in kinds and a.name not in NOT_CHANGED]
        if not options or rng.random() > 0.4:
            return
        attr = rng.choice(options)
        old = self.attrs.get(attr.name, attr.default)
        if attr.kind == "bool":
            self.attrs[attr.name] = rng.random() < 0.5
        elif attr.kind == "int" and isinstance(old, int):
            self.attrs[attr.name] = old + rng.choice([-2, -1, 1, 2])
        elif attr.kind == "float" and isinstance(old, float):
            self.attrs[attr.name] = rng.choice([0.0, 1.0, -1.0, old * 2, old + 0.5])
        elif attr.kind == "string" and attr.allowed:
            self.attrs[attr.name] = rng.choice([*attr.allowed, *([b"bad"] if rng.random() < 0.1 else [])])

    def case(self, rng: random.Random, parameters: list[str]) -> dict[str, Any]:
        """The call as a case."""
        shapes = rng.choice(["const", "const", "unknown", "partial"])
        kwargs: dict[str, Any] = {}
        for arg, items in self.inputs:
            written = [self.written(rng, item, shapes) for item in items]
            kwargs[arg.name] = written if arg.is_list else written[0]
        for attr in self.definition.explicit_attrs:
            if attr.name in self.attrs:
                kwargs[attr.name] = attr_value(self.attrs[attr.name], attr.kind)
        order = [arg.name for arg in self.definition.inputs] + [attr.name for attr in self.definition.explicit_attrs]
        names = dict(zip(order, parameters))
        kwargs = {names.get(name, name): value for name, value in kwargs.items()}
        json.dumps(kwargs)
        return {
            "call": "raw_ops." + self.definition.type,
            "kwargs": {**kwargs, "name": "op"},
            "grad": rng.choice([0, 1, 1, 2]),
        }

    @staticmethod
    def written(rng: random.Random, item: Input, shapes: str) -> dict[str, Any]:
        """An input of a case."""
        array = shorten(item.array) if item.dtype == "bfloat16" else item.array
        if item.arg.is_ref or item.is_handle:
            return {"ref" if item.arg.is_ref else "res": record(array, item.dtype)}
        shape: Any = "const"
        if shapes == "unknown" and rng.random() < 0.8:
            shape = None
        elif shapes == "partial":
            shape = [None if rng.random() < 0.5 else size for size in array.shape]
        elif item.dtype in ("uint32", "uint64"):  # which the original has no constants of
            shape = list(array.shape)
        return {"t": {"a": record(array, item.dtype), "p": shape}}


def attr_value(value: Any, kind: str) -> Any:
    """An attribute as a value of a case."""
    import ossia as tf

    if kind.startswith("list("):
        return [attr_value(item, kind[5:-1]) for item in value]
    if kind == "type":
        return {"dtype": tf.as_dtype(value).name}
    if kind == "shape":
        shape = tf.TensorShape(value)
        return {"shape": None if shape.ndims is None else shape.as_list()}
    if isinstance(value, bytes):
        return {"b": value.decode("latin-1")}
    return value.item() if isinstance(value, np.generic) else value


def starting_points(definition: Any) -> list[tuple]:
    """The samples of an op that are a call of plain values: (inputs, attributes, dtypes of the inputs)."""
    found = []
    for reason, sample in definition.sample_table.items():
        if op_samples.is_steps(sample) or reason.startswith("refused") or reason == "unset":
            continue
        try:
            values, attrs = op_samples.call_parts(definition, sample)
            if not any(map(callable, values)):
                found.append((values, attrs, op_samples.SampleGraph.input_dtypes(definition, values, attrs)))
        except Exception:  # a sample that needs a graph of its own
            continue
    return found


def call_options(names: list[str], facts: dict[str, Any]) -> Iterator[tuple[Any, list, list[str], list]]:
    """What calls can be made of: the definition, starting points, parameters and kernels of each op that the original
    has a kernel for (of those named, if any are)."""
    for definition in op_samples.package_ops(*PACKAGES):
        name, kernels = definition.type, facts["kernels"].get(definition.type)
        if names and name not in names or name in NOT_CALLED or kernels is None:
            continue
        if original_ops().get(name, {}).get("deprecated_at") or name not in facts["parameters"]:
            continue
        if samples := starting_points(definition):
            yield definition, samples, facts["parameters"][name], kernels


def cases(
    rng: random.Random, count: int, names: list[str], facts: dict[str, Any], awkward: bool = False
) -> list[dict[str, Any]]:
    """`count` calls of each op that the original has a kernel for (of those named, if any are).

    `awkward`: all data has NaN, infinities, denormals or extreme integers in it.
    """
    made: list[dict[str, Any]] = []
    for definition, samples, parameters, kernels in call_options(names, facts):
        for _ in range(count):
            try:
                call = RawCall(definition, *rng.choice(samples))
                call.change_dtypes(rng, kernels)
                call.change_values(rng, AWKWARD_VALUES if awkward else ANY_VALUES)
                call.change_shapes(rng)
                call.change_attrs(rng)
                made.append(call.case(rng, parameters))
            except (TypeError, ValueError, OverflowError):  # values that the changed dtype has no room for
                continue
    return made
