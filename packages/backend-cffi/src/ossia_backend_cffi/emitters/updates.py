"""Updates of variables: optimizers' formulas as fused passes over all elements or over the rows named, assignments,
scatters."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi.emitters.registry import F32, PADDED, emits, require_float
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.chains import Chain
from ossia_backend_cffi.program.instructions import (
    AddScalarI32,
    AddScalarI64,
    Copy,
    Gather,
    InRange,
    Rows,
    SegmentSums,
    Update,
)


class Formula:
    """Builds one pass over a variable: `f("ADD", x, y)` computes, `f.set(variable, x)` stores."""

    def __init__(self, c: Any, shape: tuple[int, ...], by_rows: bool = False) -> None:
        self.by_rows = by_rows  # whether it updates the rows named
        self._c, self.shape, self.chain, self._scalars = c, shape, Chain(shape), Chain(())
        self._stored: set[int] = set()

    def __call__(self, op: str, *args: Value | float) -> Value:
        """The value of an elementwise operation; numbers are float32 constants. What follows from scalars alone is
        computed once, before the pass."""
        if self.shape and all(not isinstance(a, Value) or not a.shape for a in args):
            out = self._c.inner(F32, ())
            scalars = self._scalars
            scalars.add(op, tuple(scalars.operand(_value(a), self._c.builder) for a in args), out)
            return out
        out = self._c.inner(F32, self.shape)
        self._add(op, args, out)
        return out

    def set(self, variable: Value, op: str, *args: Value | float) -> Value:
        """Store the value of an operation in a variable; what is computed afterwards sees it."""
        self._stored.add(variable.buffer)
        self._add(op, args, variable)
        return variable

    def _add(self, op: str, args: Sequence[Value | float], out: Value) -> None:
        self.chain.add(op, tuple(self.chain.operand(_value(a), self._c.builder) for a in args), out)

    def emit(self, rows: tuple[Value, int, Sequence[Value], Sequence[Value]] | None = None) -> None:
        """Emit the pass; with `rows` = (indices, row count, variables, gradients) it runs once for each index."""
        loaded = {step.load[0] for step in self.chain.steps if step.load is not None}
        self._scalars.emit(self._c.builder, dict.fromkeys(loaded, 1))
        stored = dict.fromkeys(self._stored, 1)
        if rows is None:
            self.chain.emit(self._c.builder, stored)
            return
        indices, limit, variables, gradients = rows
        made = functools.partial(
            Rows, indices=indices, operands=[*variables, *gradients], count=indices.size,
            index_bytes=indices.dtype.itemsize, limit=limit, variables=len(variables), gradients=len(gradients),
            distinct=indices.constant is None and indices.buffer in self._c.padded,
        )  # fmt: skip
        by_row = {value.buffer for value in (indices, *variables, *gradients)}
        self.chain.emit(self._c.builder, stored, made, by_row)


def _value(a: Value | float) -> Value:
    return a if isinstance(a, Value) else Value(F32, (), constant=np.full((), a, F32))


Definition = Callable[..., None]
_FORMULAS: dict[str, tuple[Definition, int, tuple[str, ...]]] = {}


def _formula(kind: str, variables: int, *inputs: str) -> Callable[[Definition], Definition]:
    """Register the formula of `Apply<kind>` and its relatives; `inputs` in the order of the dense op."""
    def register(fn: Definition) -> Definition:
        _FORMULAS[kind] = fn, variables, inputs
        return fn
    return register


@_formula("Adagrad", 2, "lr", "grad")
def _adagrad(f, var, accum, lr, grad, update_slots=True):
    if update_slots:
        f.set(accum, "ADD", accum, f("MUL", grad, grad))
    f.set(var, "SUB", var, f("DIV", f("MUL", grad, lr), f("SQRT", accum)))


@_formula("AdagradV2", 2, "lr", "epsilon", "grad")
def _adagrad_v2(f, var, accum, lr, epsilon, grad, update_slots=True):
    if update_slots:
        f.set(accum, "ADD", accum, f("MUL", grad, grad))
    f.set(var, "SUB", var, f("DIV", f("MUL", grad, lr), f("ADD", f("SQRT", accum), epsilon)))


@_formula("Adadelta", 3, "lr", "rho", "epsilon", "grad")
def _adadelta(f, var, accum, accum_update, lr, rho, epsilon, grad):
    rest = f("SUB", 1.0, rho)
    f.set(accum, "ADD", f("MUL", accum, rho), f("MUL", f("MUL", grad, grad), rest))
    step = f("MUL", f("DIV", f("SQRT", f("ADD", accum_update, epsilon)), f("SQRT", f("ADD", accum, epsilon))), grad)
    f.set(var, "SUB", var, f("MUL", step, lr))
    f.set(accum_update, "ADD", f("MUL", accum_update, rho), f("MUL", f("MUL", step, step), rest))


@_formula("RMSProp", 3, "lr", "rho", "momentum", "epsilon", "grad")
def _rmsprop(f, var, ms, mom, lr, rho, momentum, epsilon, grad):
    f.set(ms, "ADD", ms, f("MUL", f("SUB", f("MUL", grad, grad), ms), f("SUB", 1.0, rho)))
    f.set(mom, "ADD", f("MUL", mom, momentum), f("DIV", f("MUL", grad, lr), f("SQRT", f("ADD", ms, epsilon))))
    f.set(var, "SUB", var, mom)


@_formula("CenteredRMSProp", 4, "lr", "rho", "momentum", "epsilon", "grad")
def _centered_rmsprop(f, var, mg, ms, mom, lr, rho, momentum, epsilon, grad):
    rest = f("SUB", 1.0, rho)
    f.set(ms, "ADD", ms, f("MUL", f("SUB", f("MUL", grad, grad), ms), rest))
    f.set(mg, "ADD", mg, f("MUL", f("SUB", grad, mg), rest))
    spread = f("ADD", f("SUB", ms, f("MUL", mg, mg)), epsilon)
    f.set(mom, "ADD", f("MUL", mom, momentum), f("DIV", f("MUL", grad, lr), f("SQRT", spread)))
    f.set(var, "SUB", var, mom)


@_formula("Momentum", 2, "lr", "grad", "momentum")
def _momentum(f, var, accum, lr, grad, momentum, use_nesterov=False):
    f.set(accum, "ADD", f("MUL", accum, momentum), grad)
    if use_nesterov:
        f.set(var, "SUB", var, f("ADD", f("MUL", grad, lr), f("MUL", f("MUL", accum, momentum), lr)))
    else:
        f.set(var, "SUB", var, f("MUL", accum, lr))


@_formula("KerasMomentum", 2, "lr", "grad", "momentum")
def _keras_momentum(f, var, accum, lr, grad, momentum, use_nesterov=False):
    step = f("MUL", grad, lr)
    f.set(accum, "SUB", f("MUL", accum, momentum), step)
    f.set(var, "ADD", var, f("SUB", f("MUL", accum, momentum), step) if use_nesterov else accum)


def _average(f: Formula, m: Value, v: Value, grad: Value, beta1: Value, beta2: Value) -> None:
    f.set(m, "ADD", m, f("MUL", f("SUB", grad, m), f("SUB", 1.0, beta1)))
    f.set(v, "ADD", v, f("MUL", f("SUB", f("MUL", grad, grad), v), f("SUB", 1.0, beta2)))


@_formula("AdamWithAmsgrad", 4, "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad")
def _amsgrad(f, var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad):
    rate = f("DIV", f("MUL", lr, f("SQRT", f("SUB", 1.0, beta2_power))), f("SUB", 1.0, beta1_power))
    _average(f, m, v, grad, beta1, beta2)
    f.set(vhat, "SELECT", f("GT", v, vhat), v, vhat)
    f.set(var, "SUB", var, f("DIV", f("MUL", m, rate), f("ADD", f("SQRT", vhat), epsilon)))


@_formula("AdaMax", 3, "beta1_power", "lr", "beta1", "beta2", "epsilon", "grad")
def _adamax(f, var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad):
    f.set(m, "ADD", m, f("MUL", f("SUB", grad, m), f("SUB", 1.0, beta1)))
    decayed, size = f("MUL", beta2, v), f("ABS", grad)
    f.set(v, "SELECT", f("GT", size, decayed), size, decayed)
    f.set(var, "SUB", var, f("MUL", f("DIV", lr, f("SUB", 1.0, beta1_power)), f("DIV", m, f("ADD", v, epsilon))))


@_formula("GradientDescent", 1, "alpha", "delta")
def _gradient_descent(f, var, alpha, delta):
    f.set(var, "SUB", var, f("MUL", alpha, delta))


def _follow(f, var, accum, linear, grad, square, lr, l1, l2, lr_power):
    grown = f("ADD", accum, square)
    if lr_power.constant is not None and float(lr_power.constant) == -0.5:
        before, after = f("SQRT", accum), f("SQRT", grown)
    else:
        power = f("NEG", lr_power)
        before, after = f("POW", accum, power), f("POW", grown, power)
    f.set(linear, "ADD", linear, f("SUB", grad, f("MUL", f("DIV", f("SUB", after, before), lr), var)))
    quadratic = f("ADD", f("DIV", after, lr), f("MUL", 2.0, l2))
    pull = f("SUB", f("MUL", l1, f("SIGN", linear)), linear)
    moved = f("DIV", pull, quadratic)
    if f.by_rows:  # what is not a number stays so where a weight does not move, too
        still = f("DIV", f("SUB", linear, linear), quadratic)
        f.set(var, "SELECT", f("LE", f("ABS", linear), l1), still, moved)
    else:
        f.set(var, "SELECT", f("GT", f("ABS", linear), l1), moved, 0.0)
    f.set(accum, "IDENTITY", grown)


@_formula("Ftrl", 3, "grad", "lr", "l1", "l2", "lr_power")
def _ftrl(f, var, accum, linear, grad, lr, l1, l2, lr_power):
    _follow(f, var, accum, linear, grad, f("MUL", grad, grad), lr, l1, l2, lr_power)


@_formula("FtrlV2", 3, "grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power")
def _ftrl_v2(f, var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power):
    shrinking = f("ADD", grad, f("MUL", f("MUL", 2.0, l2_shrinkage), var))
    _follow(f, var, accum, linear, shrinking, f("MUL", grad, grad), lr, l1, l2, lr_power)


def _shrunk(f: Formula, value: Value, threshold: Value, l1: Value) -> Value:
    """`value` nearer to zero by `threshold`, if `l1` is positive."""
    if l1.constant is not None and not l1.constant > 0:
        return value
    near = f("MUL", f("SIGN", value), f("MAX", f("SUB", f("ABS", value), threshold), 0.0))
    return near if l1.constant is not None else f("SELECT", f("GT", l1, 0.0), near, value)


@_formula("AdagradDA", 3, "grad", "lr", "l1", "l2", "global_step")
def _adagrad_da(f, var, total, squares, grad, lr, l1, l2, global_step):
    step = f("IDENTITY", global_step)
    f.set(total, "ADD", total, grad)
    f.set(squares, "ADD", squares, f("MUL", grad, grad))
    root = f("SQRT", squares)
    if f.by_rows:  # divided by the step first, which matters where it is not positive
        mean = f("DIV", total, step)
        if l1.constant is None or l1.constant > 0:
            near = f("MUL", f("SIGN", total), f("MAX", f("SUB", f("DIV", f("ABS", total), step), l1), 0.0))
            mean = near if l1.constant is not None else f("SELECT", f("GT", l1, 0.0), near, mean)
        f.set(var, "DIV", f("NEG", mean), f("ADD", l2, f("DIV", root, f("MUL", step, lr))))
        return
    near = _shrunk(f, total, f("MUL", l1, step), l1)
    below = f("ADD", f("MUL", f("MUL", l2, step), lr), f("SQRT", squares))
    f.set(var, "DIV", f("MUL", near, f("NEG", lr)), below)


@_formula("ProximalGradientDescent", 1, "alpha", "l1", "l2", "delta")
def _proximal(f, var, alpha, l1, l2, delta):
    near = _shrunk(f, f("SUB", var, f("MUL", delta, alpha)), f("MUL", alpha, l1), l1)
    f.set(var, "DIV", near, f("ADD", 1.0, f("MUL", l2, alpha)))


@_formula("ProximalAdagrad", 2, "lr", "l1", "l2", "grad")
def _proximal_adagrad(f, var, accum, lr, l1, l2, grad):
    f.set(accum, "ADD", accum, f("MUL", grad, grad))
    rate = f("DIV", lr, f("SQRT", accum))
    near = _shrunk(f, f("SUB", var, f("MUL", grad, rate)), f("MUL", rate, l1), l1)
    f.set(var, "DIV", near, f("ADD", 1.0, f("MUL", l2, rate)))


def _agreement(f: Formula, m: Value, grad: Value, beta: Value, decay: Value) -> Value:
    """The average of gradients moves on; the signs' agreement, decayed."""
    f.set(m, "ADD", f("MUL", m, beta), f("MUL", grad, f("SUB", 1.0, beta)))
    return f("MUL", decay, f("MUL", f("SIGN", grad), f("SIGN", m)))


@_formula("AddSign", 2, "lr", "alpha", "sign_decay", "beta", "grad")
def _add_sign(f, var, m, lr, alpha, sign_decay, beta, grad):
    factor = f("ADD", alpha, _agreement(f, m, grad, beta, sign_decay))
    f.set(var, "SUB", var, f("MUL", f("MUL", lr, factor), grad))


@_formula("PowerSign", 2, "lr", "logbase", "sign_decay", "beta", "grad")
def _power_sign(f, var, m, lr, logbase, sign_decay, beta, grad):
    factor = f("EXP", f("MUL", logbase, _agreement(f, m, grad, beta, sign_decay)))
    f.set(var, "SUB", var, f("MUL", f("MUL", lr, factor), grad))


_LIMITS = {  # of inputs whose ranges are checked: which, and the error
    "lr": (1, 8),
    "l1": (2, 9),
    "l2": (2, 10),
    "l2_shrinkage": (2, 11),
    "lr_power": (3, 12),
}
_INSIDE = {1: lambda x: x > 0, 2: lambda x: x >= 0, 3: lambda x: x <= 0}
_LIMITED = ("Ftrl", "FtrlV2", "ProximalAdagrad")


def _check_ranges(c: Any, names: Sequence[str], values: Sequence[Value]) -> None:
    """Refuse hyperparameters out of range: at once where they are known, else when the program runs."""
    for name, value in zip(names, values, strict=True):
        if name in _LIMITS:
            which, error = _LIMITS[name]
            if value.constant is None:
                c.emit(InRange(x=c.ready(value), range=which, error=error))
            elif not _INSIDE[which](float(value.constant.reshape(-1)[0])):
                raise Declined("a hyperparameter out of its range")


_LOOPS = (  # the formulas whose dense updates are loops of their own, in the order of `formulas` in updates.c
    *("Adagrad", "AdagradV2", "Adadelta", "RMSProp", "CenteredRMSProp", "Ftrl", "FtrlV2", "AdagradDA"),
    *("ProximalGradientDescent", "ProximalAdagrad", "AdamWithAmsgrad", "AdaMax", "KerasMomentum", "AddSign"),
    "PowerSign",
)


def _has_loop(kind: str, names: Sequence[str], rest: Sequence[Value]) -> bool:
    """Whether an update can run as a loop: those of FTRL know one power."""
    if kind not in _LOOPS or "lr_power" not in names:
        return kind in _LOOPS
    power = rest[names.index("lr_power")].constant
    return power is not None and float(power.reshape(-1)[0]) == -0.5


def _emit(c: Any, node: Any, ins: list[Value], outs: Sequence[int]) -> None:
    kind = node.type.removeprefix("Resource").removeprefix("Sparse").removeprefix("Apply")
    sparse = "SparseApply" in node.type
    fn, count, names = _FORMULAS[kind]
    variables, rest = ins[:count], ins[count:]
    position = next(i for i, name in enumerate(names) if name in ("grad", "delta"))
    indices = rest.pop(position + 1) if sparse else None
    gradient = rest[position]
    shape = variables[0].shape
    require_float(*variables, *(v for name, v in zip(names, rest, strict=True) if name != "global_step"))
    if any(v.shape != shape for v in variables) or any(v.shape for i, v in enumerate(rest) if i != position):
        raise Declined("an update of shapes that differ")
    if kind in _LIMITED:
        _check_ranges(c, names, rest)
    options = {name: node.attrs[name] for name in ("use_nesterov", "update_slots") if name in node.attrs}
    if indices is None:
        if gradient.shape != shape:
            raise Declined("an update of shapes that differ")
        loop = _has_loop(kind, names, rest)
        rest = [c.ready(v) for v in rest]
        c.update(variables)
        if loop:
            option = next((int(value) for value in options.values()), 1)
            c.emit(
                Update(
                    operands=[*variables, *rest], elements=variables[0].size, variables=count,
                    formula=_LOOPS.index(kind), option=option, gradient=count + position,
                )
            )  # fmt: skip
        else:
            f = Formula(c, shape)
            fn(f, *variables, *rest, **options)
            f.emit()
    else:
        _check_rows(shape, indices, gradient.shape)
        if 0 in shape[1:]:
            raise Declined("rows of nothing, which some ops refuse")
        rest = [c.ready(v) for v in rest]
        indices = c.ready(indices)
        c.update(variables)
        views = [Value(v.dtype, shape[1:], v.buffer) for v in variables]
        row = rest[position] = _row(c, gradient)
        f = Formula(c, shape[1:], by_rows=True)
        fn(f, *views, *rest, **options)
        f.emit((indices, shape[0], views, [row]))
    if outs:
        c.give(outs[0], variables[0])


def _check_rows(shape: tuple[int, ...], indices: Value, updates: tuple[int, ...]) -> None:
    if not shape or indices.dtype.kind != "i" or len(indices.shape) != 1 or updates != indices.shape + shape[1:]:
        raise Declined("an update of rows of other shapes")


def _row(c: Any, value: Value) -> Value:
    """The value seen row by row; a constant gets a buffer."""
    buffer = c.builder.buffer_of(value)
    return Value(value.dtype, value.shape[1:], buffer)


_DEDICATED = ("Momentum", "GradientDescent")
emits(*[f"{prefix}Apply{kind}" for kind in _FORMULAS for prefix in ("", "Resource", "Sparse", "ResourceSparse")
        if not (kind in _DEDICATED and "Sparse" not in prefix)])(_emit)
PADDED.update(f"{prefix}SparseApply{kind}" for kind in _FORMULAS for prefix in ("", "Resource"))


# -- assignments and scatters -------------------------------------------------------------------------------

_CHANGES = {
    "Assign": "IDENTITY",
    "AssignVariableOp": "IDENTITY",
    "AssignAdd": "ADD",
    "AssignAddVariableOp": "ADD",
    "AssignSub": "SUB",
    "AssignSubVariableOp": "SUB",
}


@emits(*_CHANGES)
def _assign(c, node, ins, outs):
    variable, value = ins
    if variable.shape != value.shape or variable.dtype != value.dtype:
        raise Declined("an assignment of another shape")
    op = _CHANGES[node.type]
    if op == "IDENTITY" and c.store_in(value, variable):
        if outs:
            c.give(outs[0], variable)
        return
    value = c.ready(value)
    if variable.dtype == F32 and op != "IDENTITY":
        c.update([variable], counted=True)
        f = Formula(c, variable.shape)
        f.set(variable, op, variable, value)
        f.emit()
    elif op == "IDENTITY":
        c.update([variable], counted=True)
        c.emit(Copy(out=variable, x=value, bytes=variable.size * variable.dtype.itemsize))
    elif variable.size == 1 and op == "ADD" and variable.dtype.kind == "i" and variable.dtype.itemsize in (4, 8):
        c.update([variable], counted=True)
        made = AddScalarI32 if variable.dtype.itemsize == 4 else AddScalarI64
        c.emit(made(var=variable, x=value))
    else:
        raise Declined("an assignment of integers")
    if outs:
        c.give(outs[0], variable)


_SCATTERS = {"ScatterAdd": "ADD", "ResourceScatterAdd": "ADD", "ScatterSub": "SUB", "ResourceScatterSub": "SUB"}


PADDED.update(_SCATTERS)


@emits(*_SCATTERS)
def _scatter(c, node, ins, outs):
    variable, indices, updates = ins
    require_float(variable, updates)
    _check_rows(variable.shape, indices, updates.shape)
    updates, indices = c.ready(updates), c.ready(indices)
    c.update([variable], counted=True)
    view, row = Value(F32, variable.shape[1:], variable.buffer), _row(c, updates)
    f = Formula(c, view.shape)
    f.set(view, _SCATTERS[node.type], view, row)
    f.emit((indices, variable.shape[0], [view], [row]))
    if outs:
        c.give(outs[0], variable)


@emits("Gather", "GatherV2", "ResourceGather")
def _gather(c, node, ins, outs):
    params, indices = ins[:2]
    if node.type == "GatherV2" and (ins[2].constant is None or int(ins[2].constant.reshape(-1)[0]) != 0):
        raise Declined("Gather along another axis")
    if not params.shape or indices.dtype.kind != "i" or node.attrs.get("batch_dims"):
        raise Declined("Gather of other shapes")
    if node.type == "ResourceGather" and params.dtype != node.attrs["dtype"].as_numpy_dtype:
        raise Declined("Gather from a variable of another dtype")
    rows = params.shape[0]
    row = params.dtype.itemsize
    for n in params.shape[1:]:
        row *= n
    out = c.result(outs[0], params.dtype, indices.shape + params.shape[1:])
    c.emit(
        Gather(
            out=out, params=c.ready(params), indices=c.ready(indices), count=indices.size,
            index_bytes=indices.dtype.itemsize, limit=rows, row_bytes=row,
        )
    )  # fmt: skip


@emits("UnsortedSegmentSum")
def _segment_sums(c, node, ins, outs):
    data, segments, number = ins
    require_float(data)
    if number.constant is None or number.constant.size != 1 or segments.dtype.kind != "i":
        raise Declined("a computed number of segments")
    limit, rank = int(number.constant.reshape(-1)[0]), len(segments.shape)
    if limit < 0 or data.shape[:rank] != segments.shape:
        raise Declined("segments of another shape")
    row = 1
    for n in data.shape[rank:]:
        row *= n
    out = c.result(outs[0], F32, (limit, *data.shape[rank:]))
    c.emit(
        SegmentSums(
            out=out, data=c.ready(data), segments=c.ready(segments), count=segments.size,
            index_bytes=segments.dtype.itemsize, limit=limit, row=row,
        )
    )  # fmt: skip
