"""Builds a call of `gradients.py` and differentiates it, with TensorFlow 1.15 (Python 3.7) and with Ossia alike.

What is asked for stands under `slopes` of a case:

| entry | says |
|---|---|
| `of` | which results: `smooth`, `all`, or the number of one |
| `by` | which of the tensors that were given, by number; null: all of them |
| `inside` | null, or what the call stands in: `cond`, `loop`, `custom`, `override` |
| `given` | the gradients of the results: null, or one of GIVEN for each |
| `way` | `gradients`, `hessians`, `tape`, or `compute` (through an optimizer) |
| `order` | how many times |
| `options` | keyword arguments of `tf.gradients`; numbers in `stop_gradients` mean tensors |
"""
from build import Builder, is_handle, is_smooth, public

from ossia_testkit import recording
from ossia_testkit.golden_case import Case, Raised

GIVEN = ("like", "ones", "number", "array", "double", "integer", "slices", "none")


class SlopeBuilder(Builder):
    """A builder that makes the arguments of a call first, and then the call in its surroundings.

    tape: what records the call, if gradients are asked of a tape.
    """

    def __init__(self, tf):
        super().__init__(tf)
        self.tape = tf.GradientTape(persistent=True)

    def outputs(self, spec):
        """The tensors that the call of a case returns, as a flat list, and what else it returns."""
        args = [self.value(item) for item in spec.get("args", [])]
        kwargs = {key: self.value(item) for key, item in spec.get("kwargs", {}).items()}

        def call(change=lambda tensor: tensor):
            found = public(self.tf, spec["call"])(*self.changed(args, change), **self.changed(kwargs, change))
            return [leaf for _, leaf in recording.flatten(self.tf, found) if isinstance(leaf, self.tf.Tensor)]

        inside = spec["slopes"].get("inside")
        with self.tape if spec["slopes"]["way"] == "tape" else self.tf.name_scope(None):
            if spec["slopes"]["way"] == "tape":
                self.tape.watch([item for item in self.inputs if is_smooth(item)])
            return getattr(self, "inside_" + inside)(call) if inside else call()

    def changed(self, item, change):
        """A structure of arguments with `change` applied to the tensors in it."""
        if isinstance(item, dict):
            return {key: self.changed(part, change) for key, part in item.items()}
        if isinstance(item, (list, tuple)) and type(item) in (list, tuple):
            return type(item)(self.changed(part, change) for part in item)
        plain = isinstance(item, self.tf.Tensor) and not item.dtype._is_ref_dtype and not is_handle(self.tf, item)
        return change(item) if plain else item

    def inside_cond(self, call):
        tf = self.tf
        test = tf.placeholder_with_default(True, [], name="test")
        return self.listed(tf.cond(test, call, lambda: call(tf.identity)))

    def inside_loop(self, call):
        """Two rounds, each of which adds the sums of the smooth results to those of the call outside."""
        tf = self.tf
        start = [tf.reduce_sum(item) for item in call() if is_smooth(item)]

        def body(count, *sums):
            found = [tf.reduce_sum(item) for item in call(tf.identity) if is_smooth(item)]
            return [count + 1] + [a + b for a, b in zip(sums, found)]

        return self.listed(tf.while_loop(lambda count, *sums: count < 2, body, [0] + start))[1:]

    def inside_custom(self, call):
        """As the inner of two functions with gradients of their own, which scale what comes."""
        tf = self.tf
        inputs = [item for item in self.inputs if is_smooth(item)]

        @tf.custom_gradient
        def outer(*given):
            @tf.custom_gradient
            def inner(*given):
                stand = {id(old): new for old, new in zip(inputs, given)}
                found = [item for item in call(lambda item: stand.get(id(item), item)) if is_smooth(item)]
                return found, lambda *slopes: [slope * 3 for slope in tf.gradients(found, given, list(slopes))]

            found = inner(*given)
            return found, lambda *slopes: [slope * 2 for slope in tf.gradients(found, given, list(slopes))]

        return self.listed(outer(*inputs))

    def inside_override(self, call):
        tf = self.tf
        before = set(tf.get_default_graph().get_operations())
        found = call()
        kinds = sorted({op.type for op in tf.get_default_graph().get_operations() if op not in before})
        if not _REGISTERED:
            @tf.RegisterGradient("Doubled")
            def _(op, *slopes):
                return [2 * item if is_smooth(item) else None for item in op.inputs]
            _REGISTERED.append("Doubled")
        with tf.get_default_graph().gradient_override_map(dict.fromkeys(kinds, "Doubled")):
            return found + call()

    def listed(self, found):
        return list(found) if isinstance(found, (list, tuple)) else [found]

    def given(self, kind, output):
        """The gradient that is given for a result."""
        tf = self.tf
        if kind == "like":
            return tf.zeros_like(output) + tf.cast(1.5, output.dtype)
        if kind == "ones":
            return tf.ones_like(output)
        if kind == "number":
            return 2.0
        if kind == "array":
            return output.dtype.as_numpy_dtype(2)
        if kind == "double":
            return tf.constant(1.0, tf.float64)
        if kind == "integer":
            return tf.ones_like(output, dtype=tf.int32)
        if kind == "slices":
            return tf.IndexedSlices(tf.ones_like(output), tf.range(tf.shape(output)[0]), tf.shape(output))
        return None


_REGISTERED = []


def slope_case(tf, spec):
    """The golden case of a call and its gradients."""
    builder, slopes = SlopeBuilder(tf), spec["slopes"]
    outputs = builder.outputs(spec)
    runs = [[item for item in outputs if not is_handle(tf, item)]] if outputs else []
    facts = {}
    try:
        runs += [run for run in differentiated(tf, builder, slopes, outputs, facts) if run]
    except Exception as error:
        facts["error"] = Raised(error)
    return Case(runs=runs + [facts], collections=False, feeds=builder.feeds)


def differentiated(tf, builder, slopes, outputs, facts):
    """Runs that fetch the gradients of each order; which are None, and of which class, goes into `facts`."""
    of, by = slopes["of"], slopes["by"]
    ys = [item for item in outputs if is_smooth(item)] if of == "smooth" else outputs
    ys = ys if isinstance(of, str) else ys[of:of + 1]
    xs = builder.inputs if by is None else [builder.inputs[place] for place in by if place < len(builder.inputs)]
    if not ys or not xs:
        return
    options = dict(slopes.get("options") or {})
    if "stop_gradients" in options:
        tensors = builder.inputs + outputs
        options["stop_gradients"] = [tensors[place] for place in options["stop_gradients"] if place < len(tensors)]
    if options.get("unconnected_gradients") == "zero":
        options["unconnected_gradients"] = tf.UnconnectedGradients.ZERO
    kind = slopes.get("given")
    for order in range(slopes.get("order", 1)):
        given = [builder.given(kind, item) for item in ys] if kind else None
        found = WAYS[slopes["way"]](tf, builder, ys, xs, given, options)
        facts[f"classes {order}"] = [type(item).__name__ for item in found]
        yield [item for item in found if item is not None]
        ys = [item for item in found if isinstance(item, tf.Tensor) and is_smooth(item)]
        if not ys:
            return


def by_optimizer(tf, builder, ys, xs, given, options):
    """Gradients that an optimizer computes for tensors."""
    known = {key: options[key] for key in ("aggregation_method", "colocate_gradients_with_ops") if key in options}
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    pairs = optimizer.compute_gradients(ys[0], xs, gate_gradients=int(options.get("gate_gradients", 1)),
                                        grad_loss=given and given[0], **known)
    return [pair[0] for pair in pairs]


def by_tape(tf, builder, ys, xs, given, options):
    """Gradients of what was recorded."""
    known = {key: options[key] for key in ("unconnected_gradients",) if key in options}
    return builder.tape.gradient(ys, xs, output_gradients=given, **known)


def by_hessians(tf, builder, ys, xs, given, options):
    """The second derivatives."""
    known = {key: options[key] for key in ("aggregation_method", "gate_gradients") if key in options}
    return tf.hessians(ys, xs, **known)


def by_gradients(tf, builder, ys, xs, given, options):
    """Gradients of the graph."""
    return tf.gradients(ys, xs, given, **options)


WAYS = {"gradients": by_gradients, "hessians": by_hessians, "compute": by_optimizer, "tape": by_tape}
