"""Makes the checkpoint that `test_resume.py` goes on from, and what TensorFlow 1.15 comes to when it does.

`python tests/golden/make_resume.py`, with TensorFlow 1.15, writes `resume.ckpt.*` and `resume_golden.json`.
"""
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKPOINT = os.path.join(HERE, "resume.ckpt")
STEPS = 5


def optimizers(tf, step):
    """Name -> optimizer, with the options that give it every slot it can have."""
    rate = tf.train.exponential_decay(0.1, step, 2, 0.9)
    train = tf.train
    return {
        "sgd": train.GradientDescentOptimizer(rate),
        "momentum": train.MomentumOptimizer(rate, 0.9),
        "nesterov": train.MomentumOptimizer(rate, 0.9, use_nesterov=True),
        "adagrad": train.AdagradOptimizer(rate),
        "adagrad_da": train.AdagradDAOptimizer(rate, step, l1_regularization_strength=0.01),
        "adadelta": train.AdadeltaOptimizer(1.0),
        "adam": train.AdamOptimizer(rate),
        "ftrl": train.FtrlOptimizer(rate, l1_regularization_strength=0.01, l2_regularization_strength=0.02),
        "ftrl_shrinkage": train.FtrlOptimizer(rate, l2_shrinkage_regularization_strength=0.03),
        "rmsprop": train.RMSPropOptimizer(0.01, momentum=0.9),
        "rmsprop_centered": train.RMSPropOptimizer(0.01, momentum=0.9, centered=True),
        "proximal_adagrad": train.ProximalAdagradOptimizer(rate, l1_regularization_strength=0.01),
        "proximal_sgd": train.ProximalGradientDescentOptimizer(rate, l1_regularization_strength=0.01),
    }


def build(tf, resource):
    """A graph that trains a small model with every optimizer: (variables, averages, the step's operation, saver)."""
    step = tf.train.get_or_create_global_step()
    variables, updates = [], []
    for name, optimizer in optimizers(tf, step).items():
        with tf.variable_scope(name, use_resource=resource):
            dense = tf.get_variable("dense", initializer=tf.constant([0.5, -1.0, 2.0]))
            rows = tf.get_variable("rows", initializer=tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
        chosen = tf.gather(rows, tf.cast(step % 3, tf.int32) * tf.constant([1, 1, 0]))
        target = tf.cast(step, tf.float32) * 0.1
        loss = tf.reduce_sum(tf.square(dense - target)) + tf.reduce_sum(tf.square(chosen + target))
        updates.append(optimizer.minimize(loss, var_list=[dense, rows]))
        variables += [dense, rows]
    with tf.control_dependencies(updates):
        average = tf.train.ExponentialMovingAverage(0.9, step)
        averaging = average.apply(variables[:2])
    with tf.control_dependencies([averaging]):
        train = tf.assign_add(step, 1, use_locking=True).op
    return variables, [average.average(v) for v in variables[:2]], train, tf.train.Saver()


def run(session, variables, averages, train):
    """What the variables and their averages are after each of some steps."""
    found = []
    for _ in range(STEPS):
        session.run(train)
        found.append([value.tolist() for value in session.run(variables + averages)])
    return found


def main():
    """Record with TensorFlow."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    with tf.Graph().as_default(), tf.Session() as session:
        variables, averages, train, saver = build(tf, False)
        session.run(tf.global_variables_initializer())
        run(session, variables, averages, train)
        saver.save(session, CHECKPOINT, write_meta_graph=False, write_state=False)
        after = run(session, variables, averages, train)
    with open(os.path.join(HERE, "resume_golden.json"), "w") as file:
        json.dump({"tensorflow": tf.__version__, "names": [v.op.name for v in variables], "after": after}, file)
        file.write("\n")


if __name__ == "__main__":
    main()
