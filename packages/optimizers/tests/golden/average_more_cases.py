"""Moving averages as programs use them: what is averaged, how the decay changes, names, saving under other names, and what is refused."""
import numpy as np
from golden_case import Case, raises


def names(tf):
    return {"all": [v.name for v in tf.global_variables()], "averages": [v.name for v in tf.moving_average_variables()]}


for _debias in (False, True):
    for _count in (None, 3):
        for _use in (False, True):
            def _case(tf, debias=_debias, count=_count, use=_use):
                v = tf.get_variable("v", initializer=[10.0, 11.0], use_resource=use)
                w = tf.get_variable("w", initializer=[[20.0]], use_resource=use)
                t = v + 1.0
                ema = tf.train.ExponentialMovingAverage(0.25, num_updates=count, zero_debias=debias)
                update = ema.apply([v, w, t])
                held = [ema.average(x) for x in (v, w, t)]
                runs = [held, update, held, v.assign_add([1.0, 2.0]), update, held]
                return Case(runs=runs + [names(tf), {"names": [ema.average_name(x) for x in (v, w, t)], "own": ema.name}])
            globals()["case_%s_%s_%s" % ("debiased" if _debias else "plain", _count, "resource" if _use else "ref")] = _case


def case_updates_counted_by_a_variable(tf):
    step = tf.train.get_or_create_global_step()
    v = tf.Variable(5.0, name="v")
    ema = tf.train.ExponentialMovingAverage(0.9, num_updates=step)
    update = ema.apply([v])
    return Case(runs=[v.assign(1.0), update, ema.average(v), step.assign(20), update, ema.average(v), step.assign(2000), update, ema.average(v)])


def case_decay_of_other_kinds(tf):
    v = tf.Variable(5.0, name="v")
    found = []
    for decay in (tf.constant(0.5), tf.placeholder_with_default(0.5, []), 0, 1, np.float32(0.5)):
        ema = tf.train.ExponentialMovingAverage(decay, name="d%d" % len(found))
        found.append([ema.apply([v]), ema.average(v)])
    return Case(runs=[v.assign(1.0)] + [x for pair in found for x in pair])


def case_dtypes(tf):
    made = [tf.Variable(np.array([1.0, 2.0], dtype), name=dtype) for dtype in ("float16", "float32", "float64")]
    ema = tf.train.ExponentialMovingAverage(0.5)
    return Case(runs=[[v.assign(v + 1) for v in made], ema.apply(made), [ema.average(v) for v in made]], tolerance=1e-3)


def case_scopes(tf):
    with tf.name_scope("scope1"), tf.variable_scope("vs"):
        v = tf.get_variable("v", initializer=[1.0])
        u = tf.Variable([1.0], name="u")
        t = tf.identity(v, name="t")
        ema = tf.train.ExponentialMovingAverage(0.25, zero_debias=True, name="foo")
        with tf.name_scope("scope2"):
            update = ema.apply([v, u, t])
    return {"update": update.name, "names": [ema.average_name(x) for x in (v, u, t)], "averages": [ema.average(x).op.name for x in (v, u, t)], "all": names(tf)}


def case_default_list_and_order(tf):
    v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
    tf.Variable(3.0, name="still", trainable=False)
    ema = tf.train.ExponentialMovingAverage(0.5)
    update = ema.apply()
    again = ema.apply([w])
    return Case(runs=[[w.assign(4.0), v.assign(3.0)], update, again, [ema.average(v), ema.average(w)], names(tf), {"none": str(ema.average(tf.Variable(1.0)))}])


def case_variables_to_restore(tf):
    v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
    moving = tf.Variable(3.0, name="moving", trainable=False)
    tf.add_to_collection(tf.GraphKeys.MOVING_AVERAGE_VARIABLES, moving)
    tf.Variable(3.0, name="other", trainable=False)
    t = tf.identity(v, name="t")
    ema = tf.train.ExponentialMovingAverage(0.5, name="Mean")
    found = [sorted((k, x.op.name) for k, x in ema.variables_to_restore().items())]
    ema.apply([v, t])
    found.append(sorted((k, x.op.name) for k, x in ema.variables_to_restore().items()))
    found.append(sorted((k, x.op.name) for k, x in ema.variables_to_restore([v]).items()))
    found.append(sorted((k, x.op.name) for k, x in ema.variables_to_restore([v, w, moving]).items()))
    return found


def case_colocated_and_assigned(tf):
    with tf.device("/job:default_ps"):
        v = tf.Variable(1.0, name="v")
    ema = tf.train.ExponentialMovingAverage(0.5)
    with tf.device("/job:worker"):
        update = ema.apply([v])
    return Case([ema.average(v).op.name, ema.average(v).op.device, update.device, [x.decode() for x in ema.average(v).op.colocation_groups()]], run=False)


def case_control_dependencies(tf):
    v = tf.Variable(1.0, name="v")
    sgd = tf.train.GradientDescentOptimizer(0.5).minimize(v * v)
    ema = tf.train.ExponentialMovingAverage(0.5)
    with tf.control_dependencies([sgd]):
        update = ema.apply([v])
    return Case(runs=[update, update, [v, ema.average(v)]])


def case_inside_of_cond(tf):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    flag = tf.placeholder(tf.bool, [])
    ema = tf.train.ExponentialMovingAverage(0.5)
    with tf.control_dependencies([tf.cond(flag, lambda: v.assign_add(1.0), lambda: v.read_value())]):
        update = ema.apply([v])
    return Case(runs=[([update], {flag: True}), ([update], {flag: False}), ema.average(v)])


def case_refused(tf):
    ema = tf.train.ExponentialMovingAverage(0.5)
    v = tf.Variable(1.0)
    return {"int": raises(ema.apply, [tf.Variable(1)]), "text": raises(ema.apply, [tf.constant("a")]), "number": raises(ema.apply, [1.0]), "bool": raises(ema.apply, [tf.constant(True)]),
            "complex": raises(ema.apply, [tf.Variable(1j)]), "not a list": raises(ema.apply, 3), "name": raises(ema.average_name, 3.0), "decay": raises(tf.train.ExponentialMovingAverage("a").apply, [v]),
            "average of none": raises(ema.average, 3.0)}


def case_unknown_shape(tf):
    t = tf.placeholder_with_default(np.ones(3, "float32"), [None], name="t")
    v = tf.Variable(tf.placeholder_with_default(np.ones(2, "float32"), [None]), validate_shape=False, name="v")
    ema = tf.train.ExponentialMovingAverage(0.5)
    return Case(runs=[raises(ema.apply, [t]), raises(ema.apply, [v])])


def case_slots_by_hand(tf):
    ema = tf.train.ExponentialMovingAverage(0.999, num_updates=tf.Variable(0, name="n"))
    v = tf.get_variable("p/v", [4, 2], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2))
    update = ema.apply(list(v))
    return Case(runs=[update, [ema.average(x) for x in v], names(tf)])
