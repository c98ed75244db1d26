"""Variables that take their first values from a checkpoint."""

import os

from golden_case import Case, raises

FOLDER = os.path.dirname(os.path.abspath(__file__))
PREFIX = "warm/model"


def here(function):
    """The case, run where the golden checkpoints are: their relative names stand in the graph."""

    def case(tf):
        os.chdir(FOLDER)
        return function(tf)

    return case


def new_scope(tf, **options):
    with tf.variable_scope("new"):
        w = tf.get_variable("w", [2, 2], initializer=tf.zeros_initializer(), **options)
        b = tf.get_variable("b", [2], initializer=tf.zeros_initializer(), **options)
    return w, b


def parts(tf, name="q", shape=(4, 3), axis=0, **options):
    partitioner = tf.fixed_size_partitioner(2, axis=axis)
    return tf.get_variable(name, list(shape), initializer=tf.zeros_initializer(), partitioner=partitioner, **options)


def facts(variables):
    return [[v.name, v.initializer.name, v.initial_value.name, str(v.initial_value.shape), v.initial_value.device] for v in variables]


def loaded(tf, variables):
    return Case([list(variables), facts(variables)])


@here
def case_scope(tf):
    made = new_scope(tf)
    tf.train.init_from_checkpoint(PREFIX, {"old/": "new/"})
    return loaded(tf, made)


@here
def case_scope_of_resources(tf):
    made = new_scope(tf, use_resource=True)
    tf.train.init_from_checkpoint("warm", {"old/": "new/"})
    return loaded(tf, made)


@here
def case_scope_without_slash_in_graph(tf):
    with tf.variable_scope("a/new"):
        v = tf.get_variable("b", [2])
    tf.train.init_from_checkpoint(PREFIX, {"old/": "a/new/"})
    return loaded(tf, [v])


@here
def case_deeper(tf):
    with tf.variable_scope("x"):
        w, b = tf.get_variable("w", [2, 2]), tf.get_variable("b", [2])
        with tf.variable_scope("deep"):
            d = tf.get_variable("w", [2, 2], use_resource=True)
    tf.train.init_from_checkpoint(PREFIX, {"old/": "x/"})
    return loaded(tf, [w, b, d])


@here
def case_only_the_inner_scope(tf):
    with tf.variable_scope("x"):
        w, b = tf.get_variable("w", [2, 2], initializer=tf.ones_initializer()), tf.get_variable("b", [2], initializer=tf.ones_initializer())
        with tf.variable_scope("deep"):
            d = tf.get_variable("w", [2, 2])
    tf.train.init_from_checkpoint(PREFIX, {"old/deep/": "x/deep/"})
    return loaded(tf, [w, b, d])


@here
def case_root_to_scope(tf):
    with tf.variable_scope("s"):
        top = tf.get_variable("top", [])
        p = parts(tf, "p")
        count = tf.get_variable("count", [2], tf.int32, initializer=tf.zeros_initializer())
    tf.train.init_from_checkpoint(PREFIX, {"/": "s/"})
    return loaded(tf, [top, *p, count])


@here
def case_root_to_root(tf):
    with tf.variable_scope("old"):
        w = tf.get_variable("w", [2, 2])
    top = tf.get_variable("top", [])
    p = parts(tf, "p", use_resource=True)
    step = tf.get_variable("step", initializer=tf.constant(0, tf.int64), trainable=False)
    tf.train.init_from_checkpoint(PREFIX, {"/": "/"})
    return loaded(tf, [w, top, *p, step])


@here
def case_scope_to_root(tf):
    w, b = tf.get_variable("w", [2, 2]), tf.get_variable("b", [2])
    tf.train.init_from_checkpoint(PREFIX, {"old/": "/"})
    return loaded(tf, [w, b])


@here
def case_names(tf):
    w, b = new_scope(tf)
    q, r = parts(tf), parts(tf, "r", use_resource=True)
    top = tf.get_variable("top", [])
    tf.train.init_from_checkpoint(PREFIX, {"p": "q", "top": "top", "old/w": "new/w", "words": "r", "old/b": "new/b"})
    return loaded(tf, [w, b, *q, *r, top])


@here
def case_variables(tf):
    w, b = new_scope(tf)
    plain = tf.Variable([0.0, 0.0], name="plain")
    resource = tf.Variable([0.0, 0.0], name="resource", use_resource=True)
    q = parts(tf)
    tf.train.init_from_checkpoint(PREFIX, {"old/w": w, "old/b": plain, "p": list(q)})
    tf.train.init_from_checkpoint(PREFIX, {"old/b": resource})
    return loaded(tf, [w, b, plain, resource, *q])


@here
def case_parts_of_columns(tf):
    q = parts(tf, axis=1)
    r = parts(tf, "r", axis=1, use_resource=True)
    tf.train.init_from_checkpoint(PREFIX, {"words": "q", "p": list(r)})
    return loaded(tf, [*q, *r])


@here
def case_some_parts(tf):
    q = parts(tf)
    tf.train.init_from_checkpoint(PREFIX, {"p": list(q)[1:]})
    return loaded(tf, q)


@here
def case_empty_maps(tf):
    w, _ = new_scope(tf)
    tf.train.init_from_checkpoint(PREFIX, {})
    tf.train.init_from_checkpoint(PREFIX, {"old/": "other/"})
    tf.train.init_from_checkpoint(PREFIX, {"old/w": []})
    return [w, w.initializer.name]


@here
def case_name_scopes_and_devices(tf):
    with tf.device("/job:ps/task:1/cpu:0"):
        v = tf.get_variable("v", [2])
        r = tf.get_variable("r", [2], use_resource=True)
    w = tf.get_variable("w", [2])
    with tf.name_scope("ns"), tf.device("/job:worker"), tf.control_dependencies([tf.constant(1)]), tf.variable_scope("vs"):
        tf.train.init_from_checkpoint(PREFIX, {"old/b": v, "out/bias": tf.get_variable("x", [4])})
        tf.train.init_from_checkpoint(PREFIX, {"old/b": r})
        tf.train.init_from_checkpoint(PREFIX, {"old/b": w})
    return Case(facts([v, r, w]), graph_only=True)


@here
def case_twice(tf):
    w, b = new_scope(tf)
    tf.train.init_from_checkpoint(PREFIX, {"old/": "new/"})
    tf.train.init_from_checkpoint(PREFIX, {"old/deep/w": "new/w"})
    return loaded(tf, [w, b])


@here
def case_reused_and_trained(tf):
    x = tf.constant([[1.0, 2.0]])
    with tf.variable_scope("net"):
        y = tf.layers.dense(x, 2, name="old")
    kernel, bias = tf.global_variables()
    tf.train.init_from_checkpoint(PREFIX, {"old/w": "net/old/kernel", "old/b": bias})
    loss = tf.reduce_sum(y * y)
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    return Case(runs=[[y, loss], [train], [kernel, bias, y]])


@here
def case_initialized_value(tf):
    v = tf.get_variable("v", [2])
    tf.train.init_from_checkpoint(PREFIX, {"old/b": v})
    w = tf.Variable(v.initialized_value() * 2, name="w")
    return [v, w, tf.report_uninitialized_variables()]


@here
def case_local_variables(tf):
    v = tf.get_local_variable("v", [2])
    tf.train.init_from_checkpoint(PREFIX, {"old/b": "v"})
    return loaded(tf, [v])


@here
def case_unknown_shapes(tf):
    v = tf.Variable(tf.placeholder_with_default([1.0, 2.0], None), name="v", validate_shape=False)
    w = tf.Variable(tf.placeholder_with_default([1.0, 2.0], [None]), name="w", validate_shape=False)
    tf.train.init_from_checkpoint(PREFIX, {"old/b": v, "out/bias": w})
    return Case([v, w, facts([v, w])])


@here
def case_refused(tf):
    w, b = new_scope(tf)
    q = parts(tf)
    alone = tf.Variable([1.0, 2.0], name="alone")
    r = tf.get_variable("res", [3], use_resource=True)
    made = []

    def attempt(assignment, checkpoint=PREFIX):
        made.append(raises(tf.train.init_from_checkpoint, checkpoint, assignment))

    for assignment in (
        {"old/": "new"}, {"old": "new/"}, {"old": "new"}, {"old/w": "new/x"}, {"nope/w": "new/w"}, {"nope/": "new/"}, {"top": "new/w"}, {"count": "new/w"},
        {"/": "new/"}, {"/": "/"}, {"": "/"}, {"": ""}, {"old/": "/"}, {"old/new/": "/"}, {"old/w:0": "new/w"}, {"old/w": "new/w:0"}, {"old/w": 3}, {"old/w": None},
        {3: "new/w"}, {"old/": "new/w"}, {"old/w": "new/"}, {"/old/": "new/"}, {"p": "new/w"}, {"old/b": "new/b", "nope": "new/w"}, {"old/b": b"new/b"},
        {"old/b": ("new/b",)}, {"old/": "ne"}, {"old/b": "alone"}, {"old/b": "plain"}, {"old/b": [w]}, {"old/b": [b, alone]}, {"p": "q/part_0"}, {"p": list(q)[0]},
        {"old/b": r}, {"old/w": "res"}, {"nope": list(q)}, {"p": q}, {"nope": alone}, {"nope": r}, {"old/w": alone}, {"p": [list(q)[0], w]},
    ):  # fmt: skip
        attempt(assignment)
    attempt({"old/w": "new/w"}, "warm/none")
    attempt({"old/w": "new/w"}, "train/none/none")
    attempt({"old/w": "new/w"}, None)
    attempt([("old/w", "new/w")])
    return made


def _failing(build):
    @here
    def case(tf):
        build(tf)
        return tf.global_variables_initializer()

    return case


def _another_dtype(tf):
    v = tf.get_variable("v", [2], tf.int64, initializer=tf.zeros_initializer())
    tf.train.init_from_checkpoint(PREFIX, {"count": v})


def _scope_of_another_shape(tf):
    with tf.variable_scope("new"):
        tf.get_variable("w", [2, 3])
    tf.train.init_from_checkpoint(PREFIX, {"old/": "new/"})


def _resources_of_another_shape(tf):
    with tf.variable_scope("new"):
        tf.get_variable("w", [2, 3], use_resource=True)
    tf.train.init_from_checkpoint(PREFIX, {"old/": "new/"})


def _parts_of_another_shape(tf):
    tf.train.init_from_checkpoint(PREFIX, {"p": list(parts(tf, shape=(4, 2)))})


case_refused_dtype = _failing(_another_dtype)
case_refused_shape = _failing(_scope_of_another_shape)
case_refused_resource_shape = _failing(_resources_of_another_shape)
case_refused_parts = _failing(_parts_of_another_shape)


@here
def case_another_format(tf):
    v = tf.get_variable("v", [3, 4])
    w = tf.get_variable("w", [5, 4])
    tf.train.init_from_checkpoint("v1", {"dense/kernel": v})
    tf.train.init_from_checkpoint("v1_sliced", {"part": w})
    return loaded(tf, [v, w])


@here
def case_newest_of_a_folder(tf):
    step = tf.train.get_or_create_global_step()
    with tf.variable_scope("net"):
        w = parts(tf, "w", (6, 2))
    tf.train.init_from_checkpoint("train", {"model/": "net/", "global_step": step})
    return loaded(tf, [step, *w])
