"""Builds what a random case says, with TensorFlow 1.15 (Python 3.7) and with Ossia alike.

A case is JSON. A value in it is a plain JSON value, which stands for itself, or a dict of one entry:

| entry | stands for |
|---|---|
| `t` | a tensor of an array: a constant, or fed through a placeholder of shape `p` (null: no shape) |
| `np`, `scalar` | a numpy array, a numpy scalar |
| `ref`, `res`, `var` | the reference of a variable, the handle of a resource variable, a variable |
| `sparse`, `tuple`, `dict` | a SparseTensor of three values, a tuple, a dict of values |
| `b`, `py` | bytes, any JSON value as it is |
| `dtype`, `shape`, `dim` | a DType, a TensorShape, a Dimension |
| `fn`, `expr` | a public name, a Python expression of `tf` and `np` |
| `call` | the result of another call |
| `v` | the result of an earlier step of a program; a list takes a part of it |
"""
import numpy as np

from ossia_testkit import recording
from ossia_testkit.golden_case import Case, Raised
from ossia_testkit.op_transport import decode


def public(tf, name):
    """The object of a dotted public name."""
    for part in name.split("."):
        tf = getattr(tf, part)
    return tf


def array(record):
    """The array of a record; of a quantised type, in its plain numbers."""
    name = record["dtype"]
    return decode(dict(record, dtype=name[1:]) if name.startswith(("qint", "quint")) else record)


class Builder:
    """Makes the values and the steps of one case in the default graph.

    feeds: placeholder -> array. inputs: tensors to differentiate by. state: variables to read after the run.
    made: the results of the steps of a program.
    """

    def __init__(self, tf):
        self.tf = tf
        self.feeds, self.inputs, self.state, self.made = {}, [], [], []

    def value(self, item):
        """The Python value that an item of a case stands for."""
        if isinstance(item, list):
            return [self.value(part) for part in item]
        if not isinstance(item, dict):
            return item
        (kind, content), = item.items()
        return getattr(self, "value_" + kind)(content)

    def value_py(self, content):
        return content

    def value_b(self, content):
        return content.encode("latin-1")

    def value_tuple(self, content):
        return tuple(self.value(part) for part in content)

    def value_dict(self, content):
        return {key: self.value(part) for key, part in content.items()}

    def value_dtype(self, content):
        return self.tf.as_dtype(content)

    def value_shape(self, content):
        return self.tf.TensorShape(content)

    def value_dim(self, content):
        return self.tf.Dimension(content)

    def value_np(self, content):
        found = array(content)
        return found.astype(self.tf.bfloat16.as_numpy_dtype) if content["dtype"] == "bfloat16" else found

    def value_scalar(self, content):
        return self.value_np(content)[()]

    def value_fn(self, content):
        return public(self.tf, content)

    def value_expr(self, content):
        return eval(content, {"tf": self.tf, "np": np})

    def value_sparse(self, content):
        return self.tf.SparseTensor(*[self.value(part) for part in content])

    def value_ref(self, content):
        variable = self.tf.Variable(array(content), use_resource=False, trainable=False)
        self.state.append(variable)
        return variable._ref()

    def value_res(self, content):
        variable = self.tf.Variable(array(content), use_resource=True, trainable=False)
        self.state.append(variable)
        return variable.handle

    def value_var(self, content):
        variable = self.tf.Variable(array(content["a"]), use_resource=content["resource"])
        self.inputs.append(variable)
        return variable

    def value_t(self, content):
        tf, found, shape = self.tf, array(content["a"]), content["p"]
        dtype = tf.as_dtype(content["a"]["dtype"])
        narrow = dtype == tf.bfloat16
        if shape == "const":
            tensor = tf.constant(found, tf.float32 if narrow else dtype)
        else:
            tensor = tf.placeholder(tf.float32 if narrow else dtype, shape)
            self.feeds[tensor] = found.astype(dtype.as_numpy_dtype) if dtype.is_quantized else found
        if narrow:
            tensor = tf.cast(tensor, dtype)
        self.inputs.append(tensor)
        return tensor

    def value_call(self, content):
        return self.call(content)

    def value_v(self, content):
        if not isinstance(content, list):
            return self.made[content]
        found = self.made[content[0]]
        for key in content[1:]:
            found = found[key]
        return found

    def call(self, spec):
        """The result of a call of a public function, or with `method`, of a method of its first argument."""
        args = [self.value(item) for item in spec.get("args", [])]
        kwargs = {key: self.value(item) for key, item in spec.get("kwargs", {}).items()}
        if "method" in spec:
            return getattr(args[0], spec["method"])(*args[1:], **kwargs)
        return public(self.tf, spec["call"])(*args, **kwargs)

    def step(self, spec):
        """Do one step of a program and keep its result."""
        kind = next((key for key in ("feed", "variable", "cond", "loop", "map", "scope") if key in spec), None)
        result = getattr(self, "step_" + kind)(spec, spec[kind]) if kind else self.call(spec)
        self.made.append(result)
        return result

    def branch(self, steps, *extra):
        """The result of the last of some steps, which see what was made before and `extra`, and are seen by none."""
        depth = len(self.made)
        self.made.extend(extra)
        try:
            for spec in steps:
                self.step(spec)
            return self.made[-1]
        finally:
            del self.made[depth:]

    def step_feed(self, spec, content):
        found, dtype = array(content), self.tf.as_dtype(content["dtype"])
        if spec.get("default"):
            tensor = self.tf.placeholder_with_default(found.astype(dtype.as_numpy_dtype), spec["p"], spec.get("name"))
        else:
            tensor = self.tf.placeholder(dtype, spec["p"], spec.get("name"))
            self.feeds[tensor] = found
        self.inputs.append(tensor)
        return tensor

    def step_variable(self, spec, content):
        tf = self.tf
        if spec.get("get"):
            variable = tf.get_variable(spec["get"], initializer=tf.constant(array(content)),
                                       use_resource=spec["resource"])
        else:
            variable = tf.Variable(array(content), use_resource=spec["resource"], name=spec.get("name"))
        self.inputs.append(variable)
        return variable

    def step_cond(self, spec, content):
        branches = [lambda steps=steps: self.branch(steps) for steps in spec["branches"]]
        return self.tf.cond(self.value(content), branches[0], branches[1])

    def step_loop(self, spec, content):
        tf, depth = self.tf, len(self.made)
        start = [tf.constant(0)] + [self.value(item) for item in content]

        def body(count, *current):
            self.made.extend((count,) + current)
            try:
                for inner in spec["body"]:
                    self.step(inner)
                return [count + 1] + [self.value(item) for item in spec["next"]]
            finally:
                del self.made[depth:]

        return tf.while_loop(lambda count, *current: count < spec["limit"], body, start, **spec.get("options", {}))

    def step_map(self, spec, content):
        def body(*current):
            return self.branch(spec["body"], *current)

        return public(self.tf, spec["function"])(body, self.value(content), **spec.get("options", {}))

    def step_scope(self, spec, content):
        if spec.get("control"):
            with self.tf.control_dependencies([self.value(item) for item in spec["control"]]):
                return self.branch(spec["steps"])
        with self.tf.name_scope(content):
            return self.branch(spec["steps"])


def is_smooth(tensor):
    """Whether a tensor or variable has gradients."""
    return tensor.dtype.base_dtype.is_floating or tensor.dtype.base_dtype.is_complex


def call_case(tf, spec):
    """The golden case of one call: its results run together or apart, then gradients of increasing order."""
    builder = Builder(tf)
    leaves = [leaf for _, leaf in recording.flatten(tf, builder.call(spec))]
    tensors = [leaf for leaf in leaves if isinstance(leaf, tf.Tensor)]
    fetched = [leaf for leaf in leaves if not (isinstance(leaf, tf.Tensor) and is_handle(tf, leaf))]
    if not fetched:
        fetched = [tensor.op for tensor in tensors]
    options = dict(collections=spec.get("collections", False), feeds=builder.feeds)
    if builder.state:
        with tf.control_dependencies(None):
            state = [variable.read_value() for variable in builder.state]
        return Case(runs=[fetched, state], **options)
    runs = [[leaf] for leaf in fetched] if spec.get("separate") else [fetched]
    return Case(runs=runs + gradient_runs(tf, tensors, builder.inputs, spec.get("grad", 0)), **options)


def is_handle(tf, tensor):
    """Whether a tensor cannot be fetched."""
    return tensor.dtype.base_dtype.name in ("resource", "variant") or tensor.dtype == tf.string._as_ref


def gradient_runs(tf, outputs, inputs, orders):
    """Runs that fetch the gradients of `outputs` of each order up to `orders`, then what Python says of them."""
    smooth, wanted = [t for t in outputs if is_smooth(t)], [t for t in inputs if is_smooth(t)]
    runs, facts = [], {}
    for order in range(orders):
        if not (smooth and wanted):
            break
        try:
            found = tf.gradients(smooth, wanted)
        except Exception as error:
            facts["gradient %d" % order] = Raised(error)
            break
        facts["none %d" % order] = [item is None for item in found]
        found = [item for item in found if item is not None]
        runs.append(found)
        smooth = [item for item in found if isinstance(item, tf.Tensor)]
    return runs + ([facts] if facts else [])


def program_case(tf, spec):
    """The golden case of a program: its steps, gradients if it asks for them, then its runs."""
    builder = Builder(tf)
    for step in spec["program"]:
        builder.step(step)
    if "gradients" in spec:
        ys, xs = spec["gradients"]
        found = tf.gradients([builder.value(item) for item in ys], [builder.value(item) for item in xs])
        builder.made.append([item for item in found if item is not None])
    runs = []
    for run in spec["runs"]:
        feeds = dict(builder.feeds)
        for target, value in run.get("feeds", []):
            feeds[builder.value(target)] = builder.value(value)
        runs.append(([builder.value(item) for item in run["fetch"]], feeds))
    return Case(runs=runs)
