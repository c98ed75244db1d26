"""Variables of both kinds, get_variable, variable_scope and their rules; assignment, scatter, partitions."""
import numpy as np
from golden_case import Case, raises


def facts(*variables):
    return [[v.name, v.dtype.name, str(v.shape), v.op.type, v.trainable, v.device, v.initializer.name, v.initial_value.name if v.initial_value is not None else None]
            for v in variables]


def case_ref(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    return {"v": v, "facts": facts(v), "read": v.read_value(), "value": v.value(), "initialized": v.initialized_value(), "ref": v._ref().dtype.name,
            "str": str(v), "repr": repr(v), "graph": v.graph is tf.get_default_graph(), "shared": v._shared_name}


def case_resource(tf):
    v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
    return {"v": v, "facts": facts(v), "read": v.read_value(), "value": v.value(), "initialized": v.initialized_value(), "handle": v.handle.dtype.name,
            "str": str(v), "repr": repr(v), "shared": v._shared_name, "is_init": v.is_initialized()}


def rows(tf):
    """An initializer that knows which rows of a partitioned variable it makes."""
    def initializer(shape, dtype, partition_info):
        first = partition_info.var_offset[0] if partition_info else 0
        return tf.cast(tf.range(first, first + shape[0])[:, tf.newaxis] * tf.ones(shape, tf.int32), dtype)
    return initializer


for _kind in (False, True):
    def _case(tf, use=_kind):
        made = [tf.Variable(value, use_resource=use) for value in (1, 2.5, True, "s", [1, 2], np.float64(3), np.arange(3))]
        return Case({"v": made, "facts": facts(*made)})
    globals()["case_python_values_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        x = tf.constant([1.0, 2.0])
        made = [tf.Variable(x * 2.0, use_resource=use), tf.Variable(lambda: tf.zeros([2]), dtype=tf.float32, use_resource=use),
                tf.Variable(1.0, dtype=tf.float64, name="d", use_resource=use), tf.Variable(0, trainable=False, use_resource=use),
                tf.Variable([1, 2], collections=["c"], use_resource=use), tf.Variable(x, expected_shape=[2], use_resource=use)]
        return Case(made[:4] + made[5:], collections=True)
    globals()["case_initial_values_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        v = tf.Variable([1.0, 2.0], use_resource=use, name="v")
        return Case(runs=[v.assign([3.0, 4.0]), v, v.assign_add([1.0, 1.0]), v.assign_sub([0.5, 0.5]), tf.assign(v, [0.0, 1.0]), tf.assign_add(v, v),
                          tf.assign_sub(v, [1.0, 1.0]), v.assign([9.0, 9.0], read_value=False), v, v.assign_add([1.0, 0.0], use_locking=True, name="named"), v])
    globals()["case_assign_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        v = tf.Variable([1.0, 2.0], use_resource=use, name="v")
        return [v + 1.0, 1.0 - v, v * v, v / 2.0, -v, abs(v), v ** 2, v > 1.0, v[0], 2.0 ** v, v % 2.0, v // 2.0, v <= 1.0, tf.matmul([v], [v], transpose_b=True),
                tf.reduce_sum(v), tf.identity(v), tf.concat([v, v], 0), tf.stack([v, 1.0 * v])]
    globals()["case_operators_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        v = tf.Variable(np.arange(8.0).reshape(4, 2), dtype=tf.float32, use_resource=use, name="v")
        runs = []
        for name in ("scatter_update", "scatter_add", "scatter_sub", "scatter_mul", "scatter_div", "scatter_min", "scatter_max"):
            runs += [getattr(tf, name)(v, [1, 3], [[1.0, 2.0], [3.0, 5.0]]), v]
        return Case(runs=runs + [tf.scatter_add(v, [2, 2], 1.0), v, tf.scatter_nd_update(v, [[0, 1]], [7.0]), tf.scatter_nd_add(v, [[0, 1], [0, 1]], [1.0, 1.0]),
                                 tf.scatter_nd_sub(v, [[2]], [[1.0, 1.0]]), v])
    globals()["case_scatter_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        v = tf.Variable(np.arange(8.0).reshape(4, 2), dtype=tf.float32, use_resource=use, name="v")
        s = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]))
        return Case(runs=[v.scatter_add(s), v.scatter_sub(s), v.scatter_update(s), v.scatter_nd_add([[1]], [[1.0, 1.0]]), v.scatter_nd_sub([[1]], [[1.0, 1.0]]),
                          v.scatter_nd_update([[1]], [[1.0, 1.0]]), v])
    globals()["case_scatter_methods_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        v = tf.Variable([1.0, 2.0], use_resource=use)
        return [raises(v.assign, [1.0, 2.0, 3.0]), raises(v.assign, [1, 2]), raises(v.assign, "a"), raises(tf.assign, 3, 4), raises(tf.assign, tf.constant(1.0), 2.0),
                raises(lambda: v + "a"), raises(lambda: bool(v)), raises(lambda: list(v)), raises(tf.Variable), raises(tf.Variable, None), raises(tf.Variable, [1, "a"]),
                raises(tf.Variable, lambda: [1.0]), raises(tf.Variable, tf.placeholder(tf.float32), use_resource=use), raises(tf.Variable, 1.0, name="a b", use_resource=use),
                raises(tf.Variable, 1.0, dtype=tf.int32, use_resource=use), raises(tf.Variable, 1.0, constraint=3, use_resource=use)]
    globals()["case_refused_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        v = tf.Variable(tf.placeholder_with_default([1.0], [None]), validate_shape=False, use_resource=use)
        return Case([v, tf.shape(v)])
    globals()["case_unknown_shape_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        tf.Variable([1.0], use_resource=use, name="v")
        return Case(tf.global_variables()[0] + 1.0, init=False)
    globals()["case_uninitialized_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        v = tf.get_variable("v", [2, 3], use_resource=use)
        with tf.variable_scope("s", use_resource=use):
            w = tf.get_variable("w", [3], initializer=tf.zeros_initializer())
            k = tf.get_variable("k", initializer=tf.constant([1.0, 2.0]))
            i = tf.get_variable("i", [2], tf.int32)
            n = tf.get_variable("n", initializer=[1, 2])
            c = tf.get_variable("c", initializer=lambda: tf.ones([2]))
            t = tf.get_variable("t", [2], trainable=False, collections=["x"])
        return Case({"v": [v, w, k, i, n, c], "facts": facts(v, w, k, i, n, c, t)})
    globals()["case_get_variable_%s" % ("resource" if _kind else "ref")] = _case


def case_use_resource_scopes(tf):
    with tf.variable_scope("a", use_resource=True):
        a = tf.get_variable("v", [1])
        with tf.variable_scope("b"):
            b = tf.get_variable("v", [1])
        with tf.variable_scope("c", use_resource=False):
            c = tf.get_variable("v", [1])
        d = tf.Variable(1.0)
    return {"facts": facts(a, b, c, d)}


INITIALIZERS = {
    "zeros": lambda tf: tf.zeros_initializer(), "ones": lambda tf: tf.ones_initializer(), "constant": lambda tf: tf.constant_initializer(2.5), "constant_list": lambda tf: tf.constant_initializer([[1, 2, 3], [4, 5, 6]]),
    "uniform": lambda tf: tf.random_uniform_initializer(-1.0, 1.0), "normal": lambda tf: tf.random_normal_initializer(0.0, 0.1), "truncated": lambda tf: tf.truncated_normal_initializer(stddev=0.1),
    "uniform_unit": lambda tf: tf.uniform_unit_scaling_initializer(), "variance": lambda tf: tf.variance_scaling_initializer(), "variance_out": lambda tf: tf.variance_scaling_initializer(2.0, "fan_out", "uniform"),
    "variance_avg": lambda tf: tf.variance_scaling_initializer(1.0, "fan_avg", "normal"), "variance_untruncated": lambda tf: tf.variance_scaling_initializer(1.0, "fan_in", "untruncated_normal"), "glorot_uniform": lambda tf: tf.glorot_uniform_initializer(),
    "glorot_normal": lambda tf: tf.glorot_normal_initializer(), "he_normal": lambda tf: tf.initializers.he_normal(), "he_uniform": lambda tf: tf.initializers.he_uniform(), "lecun_normal": lambda tf: tf.initializers.lecun_normal(),
    "lecun_uniform": lambda tf: tf.initializers.lecun_uniform(), "identity": lambda tf: tf.initializers.identity(), "orthogonal": lambda tf: tf.orthogonal_initializer(), "seeded": lambda tf: tf.random_normal_initializer(seed=7),
    "seeded_glorot": lambda tf: tf.glorot_uniform_initializer(seed=3), "class": lambda tf: tf.zeros_initializer, "default": lambda tf: None, "tensor": lambda tf: tf.ones([2, 3]), "function": lambda tf: (lambda shape, dtype, partition_info: tf.fill(shape, 3.0)),
}
for _name, _make in INITIALIZERS.items():
    for _kind in (False, True):
        def _case(tf, make=_make, use=_kind):
            initializer = make(tf)
            shape = None if isinstance(initializer, tf.Tensor) else [2, 3]
            return [tf.get_variable("v", shape, initializer=initializer, use_resource=use)]
        globals()["case_initializer_%s_%s" % (_name, "resource" if _kind else "ref")] = _case

SHAPES = {"scalar": [], "vector": [5], "conv": [3, 3, 2, 4], "conv3d": [2, 2, 2, 1, 2]}
for _name, _shape in SHAPES.items():
    def _case(tf, shape=_shape):
        return [tf.get_variable(name, shape, initializer=make) for name, make in (("g", tf.glorot_uniform_initializer()), ("h", tf.initializers.he_normal()), ("d", None))]
    globals()["case_initializer_fans_" + _name] = _case


def case_initializer_config(tf):
    return [sorted((key, str(value)) for key, value in make(tf).get_config().items()) for name, make in sorted(INITIALIZERS.items())
            if name in ("zeros", "ones", "constant", "uniform", "normal", "truncated", "glorot_uniform", "variance_out", "orthogonal", "identity")]


def case_initializer_refused(tf):
    return [raises(tf.variance_scaling_initializer, -1.0), raises(tf.variance_scaling_initializer, mode="x"), raises(tf.variance_scaling_initializer, distribution="x"),
            raises(tf.get_variable, "a", [2], initializer=tf.orthogonal_initializer()), raises(tf.get_variable, "b", [2], initializer=tf.initializers.identity()), raises(tf.zeros_initializer, tf.string),
            raises(tf.get_variable, "c", [2, 2], initializer=tf.constant_initializer([1, 2, 3, 4, 5])), raises(tf.random_uniform_initializer, dtype=tf.string), raises(tf.constant_initializer, {})]


def case_get_variable_refused(tf):
    tf.get_variable("v", [2])
    scalar = tf.constant(1.0)

    def reuse(*args, **kwargs):
        with tf.variable_scope("", reuse=True):
            return tf.get_variable(*args, **kwargs)
    return [raises(tf.get_variable, "v", [2]), raises(tf.get_variable, "w"), raises(tf.get_variable, "x", [None]), raises(tf.get_variable, "y", [2], initializer=scalar), raises(reuse, "z", [2]),
            raises(reuse, "v", [3]), raises(reuse, "v", [2], tf.int32), raises(tf.get_variable, "a b", [1]), raises(tf.get_variable, "b", [1], initializer=3j, dtype=tf.int32), raises(tf.get_variable, "v", [3]),
            raises(tf.get_variable, "c", [2], initializer="zeros"), raises(tf.get_variable, "s", [2], tf.string), raises(tf.get_variable, "", [1]), raises(tf.get_variable, 3, [1])]


def case_scope_names(tf):
    names = []
    with tf.variable_scope("a") as a:
        names += [a.name, a.original_name_scope, tf.get_variable("v", [1]).name, tf.constant(1).name]
        with tf.variable_scope("b") as b:
            names += [b.name, b.original_name_scope, tf.get_variable("v", [1]).name, tf.constant(1).name]
    with tf.variable_scope("a") as again:
        names += [again.name, again.original_name_scope, tf.constant(1).name, raises(tf.get_variable, "v", [1])]
    with tf.variable_scope("a", reuse=True):
        names += [tf.get_variable("v", [1]).name, tf.constant(1).name, raises(tf.get_variable, "new", [1])]
    with tf.variable_scope(a, reuse=True):
        names += [tf.get_variable("v").name, tf.constant(1).name]
    with tf.variable_scope(a, auxiliary_name_scope=False, reuse=True):
        names += [tf.get_variable("v").name, tf.constant(1).name]
    with tf.variable_scope("x/y/z"):
        names += [tf.get_variable("v", [1]).name, tf.constant(1).name]
    with tf.variable_scope("", reuse=tf.AUTO_REUSE):
        names += [tf.get_variable("a/v", [1]).name, tf.get_variable("top", [1]).name]
    return names


def case_scope_reopen_object(tf):
    names = []
    with tf.variable_scope("a") as a:
        pass
    with tf.variable_scope("other"):
        with tf.variable_scope(a) as again:
            names += [again.name, tf.get_variable("v", [1]).name, tf.constant(1).name]
        with tf.variable_scope(a, reuse=True) as third:
            names += [third.reuse, tf.get_variable("v").name, tf.constant(1).name]
        with tf.name_scope(a.original_name_scope):
            names += [tf.constant(1).name]
    return names


def case_scope_default_name(tf):
    names = []
    for _ in range(3):
        with tf.variable_scope(None, "layer") as scope:
            names += [scope.name, tf.get_variable("v", [1]).name, tf.constant(1).name]
    with tf.variable_scope("given", "layer") as scope:
        names += [scope.name]
    with tf.variable_scope("outer"):
        for _ in range(2):
            with tf.variable_scope(None, default_name="layer") as scope:
                names += [scope.name, tf.get_variable("v", [1]).name]
    return names


def case_scope_default_name_reuse(tf):
    def enter():
        with tf.variable_scope(None, "layer", reuse=True):
            pass
    return raises(enter)


def case_scope_reuse_inherited(tf):
    with tf.variable_scope("a"):
        tf.get_variable("v", [1])
        with tf.variable_scope("b"):
            tf.get_variable("v", [1])
    facts_ = []
    with tf.variable_scope("a", reuse=True) as a:
        with tf.variable_scope("b") as b:
            facts_ += [a.reuse, b.reuse, tf.get_variable("v").name]
        with tf.variable_scope("b", reuse=False) as b:
            facts_ += [b.reuse]
    with tf.variable_scope("a") as a:
        a.reuse_variables()
        facts_ += [a.reuse, tf.get_variable("v").name, tf.get_variable_scope().reuse]
    with tf.variable_scope("c", reuse=tf.AUTO_REUSE) as c:
        facts_ += [str(c.reuse), tf.get_variable("v", [1]).name, tf.get_variable("v", [1]).name]
        with tf.variable_scope("d") as d:
            facts_ += [str(d.reuse), tf.get_variable("v", [1]).name]
    tf.get_variable_scope().reuse_variables()
    return facts_ + [raises(tf.get_variable, "nope", [1])]


def case_scope_defaults(tf):
    with tf.variable_scope("a", initializer=tf.constant_initializer(3.0), regularizer=lambda w: tf.reduce_sum(w) * 0.1, dtype=tf.float64) as a:
        v = tf.get_variable("v", [2])
        with tf.variable_scope("b", initializer=tf.zeros_initializer()):
            w = tf.get_variable("w", [2], regularizer=None)
        a.set_initializer(tf.ones_initializer())
        a.set_regularizer(None)
        a.set_dtype(tf.float32)
        x = tf.get_variable("x", [2])
    return {"v": [v, w, x], "losses": tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)}


def case_scope_caching_device(tf):
    with tf.variable_scope("a", caching_device="/cpu:0"):
        v = tf.get_variable("v", [1], initializer=tf.zeros_initializer())
        w = tf.get_variable("w", [1], initializer=tf.zeros_initializer(), use_resource=True)
    return Case([v + 1.0, w + 1.0])


def case_scope_custom_getter(tf):
    def double(getter, name, *args, **kwargs):
        return getter(name + "_own", *args, **kwargs) * 2.0

    def plus(getter, *args, **kwargs):
        return getter(*args, **kwargs) + 1.0
    with tf.variable_scope("a", custom_getter=double):
        x = tf.get_variable("v", [1], initializer=tf.ones_initializer())
        with tf.variable_scope("b", custom_getter=plus):
            y = tf.get_variable("v", [1], initializer=tf.ones_initializer())
    return [x, y]


def case_custom_getter_arguments(tf):
    seen = []

    def look(getter, *args, **kwargs):
        seen.append([list(args), sorted(kwargs)])
        return getter(*args, **kwargs)
    with tf.variable_scope("a", custom_getter=look):
        tf.get_variable("v", [1])
    return seen


def case_scope_constraint(tf):
    with tf.variable_scope("a", constraint=lambda v: tf.clip_by_value(v, 0.0, 1.0)):
        v = tf.get_variable("v", [1])
        w = tf.get_variable("w", [1], constraint=tf.abs)
    return {"v": v.constraint(tf.constant([5.0])), "w": w.constraint(tf.constant([-5.0]))}


def case_variable_creator_scope(tf):
    def creator(next_creator, **kwargs):
        kwargs["name"] = "made_" + (kwargs["name"] or "none")
        return next_creator(**kwargs)
    with tf.variable_creator_scope(creator):
        v = tf.get_variable("v", [1])
        w = tf.Variable(1.0, name="w")
    return {"names": [v.name, w.name]}


def case_get_local_variable(tf):
    v = tf.get_local_variable("v", [2], initializer=tf.ones_initializer())
    return {"v": v, "facts": facts(v)}


def case_variable_op_scope(tf):
    with tf.variable_op_scope([tf.constant(1)], None, "op") as scope:
        return [scope.name, tf.get_variable("v", [1]).name]


def case_template(tf):
    def layer(x, size=2):
        return x * tf.get_variable("w", [size], initializer=tf.ones_initializer())
    template = tf.make_template("layer", layer)
    a, b = template(tf.constant([1.0, 2.0])), template(tf.constant([3.0, 4.0]))
    other = tf.make_template("layer", layer, create_scope_now_=True, size=3)
    return {"out": [a, b, other(tf.constant([1.0, 1.0, 1.0]))], "names": [v.name for v in tf.global_variables()], "scope": template.variable_scope.name,
            "vars": [v.name for v in template.variables], "template": template.name}


def case_partitioned(tf):
    v = tf.get_variable("v", [5, 2], initializer=rows(tf), partitioner=tf.fixed_size_partitioner(3))
    return {"parts": [p.name for p in v], "shapes": [str(p.shape) for p in v], "tensor": tf.convert_to_tensor(v), "type": type(v).__name__, "name": v.name,
            "slice": [[i.full_name, i.full_shape, i.var_offset, i.var_shape] for i in (p._get_save_slice_info() for p in v)], "names": [x.name for x in tf.trainable_variables()]}


def case_partitioned_random(tf):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        v = tf.get_variable("v", [4, 2])
        w = tf.get_variable("w", [6], initializer=tf.glorot_uniform_initializer())
        s = tf.get_variable("scalar", [])
    return {"v": [tf.convert_to_tensor(v), tf.convert_to_tensor(w)], "s": s}


def case_partitioned_resource(tf):
    v = tf.get_variable("v", [4, 2], partitioner=tf.fixed_size_partitioner(2), use_resource=True)
    return [tf.convert_to_tensor(v), tf.matmul(v, tf.ones([2, 1]))]


def case_partitioned_reuse(tf):
    for _ in range(2):
        with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2), reuse=tf.AUTO_REUSE):
            v = tf.get_variable("v", [4, 2])
    return {"v": v.as_tensor(), "n": len(tf.global_variables())}


def case_partitioners(tf):
    shape = tf.TensorShape([64, 128])
    return {"fixed": tf.fixed_size_partitioner(3)(shape=shape, dtype=tf.float32), "axis": tf.fixed_size_partitioner(3, axis=1)(shape=shape, dtype=tf.float32),
            "min_max": tf.min_max_variable_partitioner(max_partitions=4, min_slice_size=4096)(shape=shape, dtype=tf.float32),
            "bytes": tf.variable_axis_size_partitioner(4096)(shape=shape, dtype=tf.float32), "bytes_axis": tf.variable_axis_size_partitioner(4096, axis=1, max_shards=3)(shape=shape, dtype=tf.float64),
            "refused": [raises(tf.variable_axis_size_partitioner, 0), raises(tf.min_max_variable_partitioner, 0), raises(tf.variable_axis_size_partitioner, 10, max_shards=0)]}


def case_partitioned_embedding(tf):
    v = tf.get_variable("v", [5, 2], initializer=rows(tf), partitioner=tf.fixed_size_partitioner(2))
    return {"div": tf.nn.embedding_lookup(v, [0, 4, 3], partition_strategy="div"), "gradient": tf.gradients(tf.nn.embedding_lookup(v, [0, 4, 3], partition_strategy="div"), list(v))}


def case_partitioned_refused(tf):
    return [raises(tf.get_variable, "a", [4], partitioner=lambda **k: [2, 2]), raises(tf.get_variable, "b", [4, 4], partitioner=lambda **k: [2, 2]),
            raises(tf.get_variable, "c", [4], partitioner=lambda **k: [0]), raises(tf.get_variable, "d", [4], partitioner=lambda **k: 3)]


def case_initializers_of_all(tf):
    tf.Variable(1.0, name="a")
    tf.Variable(1.0, name="b", use_resource=True)
    tf.get_local_variable("l", [])
    return Case([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.variables_initializer([]), tf.initializers.global_variables(),
                 tf.initialize_all_variables(), tf.variables_initializer(tf.global_variables(), name="mine")], graph_only=True)


def case_report_uninitialized(tf):
    tf.Variable(1.0, name="a")
    tf.Variable(1.0, name="b", use_resource=True)
    return Case(runs=[tf.report_uninitialized_variables(), tf.global_variables()[0].initializer, tf.report_uninitialized_variables(), tf.is_variable_initialized(tf.global_variables()[1])], init=False)


def case_report_uninitialized_none(tf):
    return tf.report_uninitialized_variables([])


def case_assert_initialized(tf):
    tf.Variable(1.0, name="a")
    return Case(runs=[tf.global_variables_initializer(), tf.assert_variables_initialized()], init=False)


def case_dependent_initial_values(tf):
    a = tf.Variable(tf.random_uniform([2]), name="a")
    b = tf.Variable(a.initialized_value() * 2.0, name="b")
    return {"ratio": b / a}


def case_trainable_rules(tf):
    a = tf.get_variable("a", [1], synchronization=tf.VariableSynchronization.ON_READ, aggregation=tf.VariableAggregation.SUM)
    b = tf.Variable(1.0, trainable=False)
    return {"names": [v.name for v in tf.trainable_variables()], "a": [a.trainable, b.trainable, str(a.synchronization), str(a.aggregation)],
            "bad": raises(tf.get_variable, "c", [1], synchronization=tf.VariableSynchronization.ON_READ, trainable=True)}


def case_count_up_to(tf):
    v = tf.Variable(0, trainable=False)
    return Case(v.count_up_to(3) if False else tf.count_up_to(v, 2), steps=3)


def case_variable_proto(tf):
    v = tf.Variable([1.0], name="v")
    w = tf.Variable([1.0], name="w", use_resource=True, trainable=False)
    proto = v.to_proto()
    return {"v": str(proto), "w": str(w.to_proto()), "again": tf.Variable.from_proto(proto).name, "scope": str(v.to_proto(export_scope="x"))}


def case_load_and_eval(tf):
    v = tf.Variable([1.0], name="v")
    with tf.Session() as session:
        session.run(v.initializer)
        v.load([5.0], session)
        return {"value": v.eval(session), "loaded": float(session.run(v)[0])}


def case_global_step(tf):
    step = tf.train.get_or_create_global_step()
    return Case({"step": step, "same": tf.train.get_or_create_global_step() is step, "read": tf.train.get_global_step().name, "add": tf.assign_add(step, 1), "facts": facts(step)}, steps=2)


def case_global_step_refused(tf):
    tf.Variable(1.0, name="global_step")
    return [raises(tf.train.get_global_step), raises(tf.train.assert_global_step, tf.constant(1.0)), raises(tf.train.create_global_step)]


def case_shape_setting(tf):
    v = tf.Variable([1.0, 2.0])
    v.set_shape([2])
    return {"bad": raises(v.set_shape, [3]), "get": v.get_shape(), "rank": tf.rank(v)}


def case_names_in_loops(tf):
    names = []
    for i in range(3):
        with tf.name_scope("tower_%d" % i):
            with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
                w = tf.get_variable("w", [1])
                names += [w.name, (w * 2.0).name]
    return names


def case_variable_in_name_scope(tf):
    with tf.name_scope("s"):
        a, b = tf.Variable(1.0, name="a"), tf.get_variable("b", [1])
        c = tf.Variable(1.0, name="c", use_resource=True)
    return {"names": [a.name, b.name, c.name]}


def case_variable_under_control(tf):
    with tf.control_dependencies([tf.no_op("before")]):
        v = tf.Variable(1.0)
        w = tf.get_variable("w", [1], initializer=tf.ones_initializer(), use_resource=True)
    return [v, w]


def case_ref_aliasing(tf):
    v = tf.Variable([1.0, 2.0])
    with tf.control_dependencies([v.assign([5.0, 6.0])]):
        return [v.read_value(), v.read_value() + 0.0]
