"""What scaffolds, supervisors and monitored sessions add to a graph, and in which collections they put it."""

import os
import shutil
import tempfile

from golden_case import Case, raises

STANDARD = ["init_op", "ready_op", "ready_for_local_init_op", "local_init_op", "summary_op", "savers", "global_step_read_op_cache"]


def collections(tf):
    return [(key, [getattr(item, "name", "") for item in tf.get_collection(key)]) for key in STANDARD]


def finished(tf):
    """The graph is complete; the harness may add to it again."""
    tf.get_default_graph()._unsafe_unfinalize()
    return Case({"collections": str(collections(tf))}, graph_only=True, collections=False)


def variables(tf):
    tf.get_variable("v", [2], initializer=tf.zeros_initializer())
    tf.get_variable("r", [2], initializer=tf.zeros_initializer(), use_resource=True)
    tf.Variable(2, name="l", trainable=False, collections=["local_variables"])


def case_scaffold_of_nothing(tf):
    scaffold = tf.train.Scaffold()
    scaffold.finalize()
    return finished(tf)


def case_scaffold(tf):
    variables(tf)
    tf.train.get_or_create_global_step()
    tf.summary.scalar("s", tf.constant(1.0))
    scaffold = tf.train.Scaffold(saver=tf.train.Saver())
    scaffold.finalize()
    scaffold.finalize()
    return finished(tf)


def case_scaffold_with_parts(tf):
    variables(tf)
    init = tf.global_variables_initializer()
    tf.add_to_collection("local_init_op", tf.no_op(name="mine"))
    first = tf.train.Scaffold(init_op=init, ready_op=tf.report_uninitialized_variables(), saver=tf.train.Saver())
    tf.train.Scaffold(copy_from_scaffold=first, summary_op=tf.constant("s")).finalize()
    return finished(tf)


def case_supervisor_of_nothing(tf):
    tf.train.Supervisor()
    return finished(tf)


def case_supervisor(tf):
    variables(tf)
    tf.train.get_or_create_global_step()
    tf.summary.scalar("s", tf.constant(1.0))
    folder = tempfile.mkdtemp()
    try:
        tf.train.Supervisor(logdir=folder)
    finally:
        shutil.rmtree(folder)
    return finished(tf)


def case_monitored_training_session(tf):
    variables(tf)
    step = tf.train.get_or_create_global_step()
    advance = tf.assign_add(step, 1)
    tf.summary.scalar("s", tf.constant(1.0))
    folder = tempfile.mkdtemp()
    try:
        with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, scaffold=tf.train.Scaffold(saver=tf.train.Saver()),
                                               hooks=[tf.train.StopAtStepHook(num_steps=2)]) as session:
            while not session.should_stop():
                session.run(advance)
        files = sorted(name for name in os.listdir(folder) if "tfevents" not in name)
    finally:
        shutil.rmtree(folder)
    return Case({"collections": str(collections(tf)), "files": files}, graph_only=True, collections=False)


def case_step_reading_of_a_resource_variable(tf):
    tf.get_variable("global_step", [], tf.int64, initializer=tf.zeros_initializer(), trainable=False, use_resource=True,
                    collections=["global_step", "variables"])
    tf.train.StopAtStepHook(3).begin()
    return Case({"collections": str(collections(tf))}, graph_only=True, collections=False)


def case_what_is_refused(tf):
    return {str(i): raises(f) for i, f in enumerate([
        lambda: tf.train.StopAtStepHook(),
        lambda: tf.train.StopAtStepHook(1, 2),
        lambda: tf.train.StopAtStepHook(1).begin(),
        lambda: tf.train.LoggingTensorHook(["a"]),
        lambda: tf.train.LoggingTensorHook(["a"], every_n_iter=1, every_n_secs=1),
        lambda: tf.train.LoggingTensorHook(["a"], every_n_iter=0),
        lambda: tf.train.CheckpointSaverHook("d"),
        lambda: tf.train.CheckpointSaverHook("d", 1, 1),
        lambda: tf.train.CheckpointSaverHook("d", 1, saver=1, scaffold=2),
        lambda: tf.train.StepCounterHook(every_n_steps=1, every_n_secs=1),
        lambda: tf.train.StepCounterHook(every_n_steps=None),
        lambda: tf.train.SummarySaverHook(),
        lambda: tf.train.SummarySaverHook(save_steps=1),
        lambda: tf.train.SummarySaverHook(save_steps=1, save_secs=1, summary_op=1),
        lambda: tf.train.SecondOrStepTimer(),
        lambda: tf.train.SecondOrStepTimer(1, 1),
        lambda: tf.train.ProfilerHook(),
        lambda: tf.train.Scaffold(copy_from_scaffold=3),
        lambda: tf.train.SessionManager(ready_for_local_init_op=1),
        lambda: tf.train.MonitoredTrainingSession(checkpoint_dir="d", save_checkpoint_secs=1, save_checkpoint_steps=1),
        lambda: tf.train.Supervisor(is_chief=False, graph=tf.Graph()).start_standard_services(None),
    ])}
