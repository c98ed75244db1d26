"""Monitored sessions: the order of hooks, what they may ask for, errors, and closing."""

import pytest

import ossia as tf


class Recorder(tf.train.SessionRunHook):
    """Notes what is called."""

    def __init__(self, name, told, args=None):
        self.name, self.told, self.args = name, told, args

    def begin(self):
        self.told.append((self.name, "begin", tf.get_default_graph().finalized))

    def after_create_session(self, session, coord):
        self.told.append((self.name, "created", session.graph.finalized))

    def before_run(self, run_context):
        self.told.append((self.name, "before", run_context.original_args))
        return self.args

    def after_run(self, run_context, run_values):
        self.told.append((self.name, "after", run_values.results))

    def end(self, session):
        self.told.append((self.name, "end", isinstance(session, tf.Session)))


def test_order_of_hooks_and_what_they_see(graph):
    v = tf.get_variable("v", [], initializer=tf.ones_initializer())
    told = []
    hooks = [Recorder("A", told, tf.train.SessionRunArgs({"v": v})), Recorder("B", told)]
    session = tf.train.MonitoredSession(hooks=hooks)
    assert session.graph is graph and graph.finalized and tf.get_default_session() is None
    assert session.run(v, {v: 5.0}) == 5
    asked = tf.train.SessionRunArgs(v, {v: 5.0}, None)
    session.close()
    assert told == [
        ("A", "begin", False), ("B", "begin", False),
        ("A", "created", True), ("B", "created", True),
        ("A", "before", asked), ("B", "before", asked),
        ("A", "after", {"v": 5.0}), ("B", "after", None),
        ("A", "end", True), ("B", "end", True),
    ]  # fmt: skip
    assert session.should_stop() and session.graph is None and not graph.finalized
    for use in (session.close, lambda: session.run(v), lambda: session.run_step_fn(lambda step_context: None)):
        with pytest.raises(RuntimeError, match="already closed"):
            use()


def test_a_graph_that_was_final_stays_so(graph):
    step = tf.train.get_or_create_global_step()
    scaffold = tf.train.Scaffold(saver=tf.train.Saver())
    scaffold.finalize()
    with tf.train.SingularMonitoredSession(scaffold=scaffold) as session:
        session.run(step)
    assert graph.finalized


def test_feeds_of_hooks():
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    total = x + y

    def feeding(*feeds):
        return [Recorder("", [], tf.train.SessionRunArgs(None, feed)) for feed in feeds]

    with tf.train.MonitoredSession(hooks=feeding({x: 1.0}, {y: 2.0})) as session:
        assert session.run(total) == 3
    with tf.train.MonitoredSession(hooks=feeding({x: 1.0})) as session:
        assert session.run(total, {y: 5.0}) == 6
        with pytest.raises(RuntimeError, match="fed by a SessionRunHook and user"):
            session.run(total, {x: 1.0, y: 1.0})
    with pytest.raises(RuntimeError, match="fed by two hooks"):
        with tf.train.MonitoredSession(hooks=feeding({x: 1.0}, {x: 2.0})) as session:
            session.run(total)


def test_options_of_hooks_are_merged():
    seen = []

    class Spy(tf.train.SessionRunHook):
        def __init__(self, options):
            self.options = options

        def before_run(self, run_context):
            return tf.train.SessionRunArgs(None, options=self.options)

        def after_run(self, run_context, run_values):
            seen.append(
                (
                    run_values.options.trace_level,
                    run_values.options.timeout_in_ms,
                    bool(run_values.run_metadata.step_stats.dev_stats),
                )
            )

    product = tf.matmul(tf.random_uniform([2, 2]), tf.ones([2, 2]))
    own = tf.RunOptions(timeout_in_ms=5000)
    with tf.train.MonitoredSession(
        hooks=[Spy(tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)), Spy(None)]
    ) as session:
        session.run(product, options=own)
    assert seen == [(tf.RunOptions.FULL_TRACE, 5000, True)] * 2 and own.trace_level == 0


def test_stopping(counter):
    with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(2)]) as session:
        session.run(counter[1])
        assert not session.should_stop()
        session.run(counter[1])
        assert session.should_stop()
        with pytest.raises(RuntimeError, match="Run called even after should_stop requested."):
            session.run(counter[1])


def test_step_functions(counter):
    step, advance = counter
    told = []
    with tf.train.MonitoredSession(hooks=[Recorder("A", told, tf.train.SessionRunArgs(step))]) as session:

        def with_and_without(step_context):
            assert isinstance(step_context.session, tf.Session)
            return (
                step_context.session.run(advance),
                step_context.run_with_hooks(advance),
                step_context.run_with_hooks(fetches=step),
            )

        assert session.run_step_fn(with_and_without) == (1, 2, 2)
        assert [t[1] for t in told].count("before") == 2

        class Mine:
            def method(self, step_context):
                return step_context.run_with_hooks(advance)

        assert session.run_step_fn(Mine().method) == 3
        for bad in (lambda a: 0, lambda: 0, lambda step_context, b: 0):
            with pytest.raises(ValueError, match="`step_fn` may either have one `step_context` argument"):
                session.run_step_fn(bad)
        with pytest.raises(TypeError):
            session.run_step_fn(3)
        with pytest.raises(StopIteration, match="step_fn has requested the iterations to stop."):
            session.run_step_fn(lambda step_context: step_context.request_stop())
        assert not session.should_stop()
        session.run_step_fn(lambda step_context: step_context.request_stop())
        raise AssertionError("not reached")
    assert told[-1] == ("A", "end", True)


@pytest.mark.parametrize(
    "error", [tf.errors.OutOfRangeError(None, None, "x"), StopIteration("x")], ids=["out_of_range", "stop"]
)
def test_the_end_of_the_input_is_no_error(counter, error):
    told = []
    with tf.train.MonitoredSession(hooks=[Recorder("A", told)]):
        raise error
    assert told[-1] == ("A", "end", True)


def test_errors_are_raised_and_end_is_not_called(graph, counter):
    told = []
    with pytest.raises(ValueError, match="mine"):
        with tf.train.MonitoredSession(hooks=[Recorder("A", told)]) as session:
            session.run(counter[1])
            raise ValueError("mine")
    assert told[-1][1] == "after" and session.should_stop() and not graph.finalized


@pytest.mark.parametrize("error", [tf.errors.AbortedError, tf.errors.UnavailableError], ids=lambda e: e.__name__)
def test_recovery(counter, logged, tmp_path, error):
    """A session whose engine goes away is made anew, from the last checkpoint."""

    class Failing(tf.train.SessionRunHook):
        runs = created = 0

        def after_create_session(self, session, coord):
            Failing.created += 1

        def after_run(self, run_context, run_values):
            Failing.runs += 1
            if Failing.runs == 4:
                raise error(None, None, "gone")

    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path), hooks=[Failing()], save_checkpoint_steps=3
    ) as session:
        assert [int(session.run(counter[1])) for _ in range(6)] == [1, 2, 3, 4, 5, 6]
    assert Failing.created == 2
    assert any("The current session will be closed and a new session will be created." in line for line in logged())

    Failing.runs = 0
    with pytest.raises(error):
        with tf.train.SingularMonitoredSession(hooks=[Failing()]) as session:
            for _ in range(6):
                session.run(counter[1])


def test_recovery_while_the_session_is_made(counter, logged):
    class Creator(tf.train.SessionCreator):
        tries = 0

        def create_session(self):
            Creator.tries += 1
            if Creator.tries < 3:
                raise tf.errors.UnavailableError(None, None, "not yet")
            return tf.train.ChiefSessionCreator().create_session()

    with tf.train.MonitoredSession(Creator()) as session:
        assert session.run(counter[1]) == 1
    assert sum("An error was raised while a session was being created." in line for line in logged()) == 2
    with pytest.raises(TypeError, match="Can't instantiate abstract class SessionCreator"):
        tf.train.SessionCreator()


def test_queue_runners_start_and_stop():
    number = tf.train.range_input_producer(5, num_epochs=1, shuffle=False).dequeue()
    found = []
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            found.append(int(session.run(number)))
    assert found == [0, 1, 2, 3, 4]


def test_an_error_in_a_queue_runner_is_raised():
    queue = tf.FIFOQueue(3, tf.float32)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(tf.placeholder(tf.float32))]))
    taken = queue.dequeue()
    with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed"):
        with tf.train.MonitoredSession() as session:
            while not session.should_stop():
                session.run(taken)


DEFAULTS = {"StepCounterHook": (None, 100), "SummarySaverHook": (None, 100), "CheckpointSaverHook": (600, None)}


@pytest.mark.parametrize(
    ("arguments", "changes"),
    [
        ({}, {}),
        ({"save_checkpoint_secs": 5}, {"CheckpointSaverHook": (5, None)}),
        ({"save_checkpoint_steps": 5}, {"CheckpointSaverHook": (None, 5)}),
        ({"save_checkpoint_secs": None, "save_checkpoint_steps": None}, {"CheckpointSaverHook": None}),
        ({"save_checkpoint_secs": 0}, {"CheckpointSaverHook": None}),
        ({"save_summaries_steps": 5}, {"SummarySaverHook": (None, 5)}),
        ({"save_summaries_secs": 5}, {"SummarySaverHook": (5, None)}),
        ({"save_summaries_steps": None, "save_summaries_secs": None}, {"SummarySaverHook": None}),
        ({"log_step_count_steps": None}, {"StepCounterHook": None}),
        ({"log_step_count_steps": 7}, {"StepCounterHook": (None, 7)}),
        ({"checkpoint_dir": None, "summary_dir": "summaries"}, {"CheckpointSaverHook": None}),
        ({"checkpoint_dir": None}, dict.fromkeys(DEFAULTS)),
    ],
    ids=str,
)
def test_default_hooks(counter, tmp_path, monkeypatch, arguments, changes):
    monkeypatch.chdir(tmp_path)
    first, last = tf.train.SessionRunHook(), tf.train.SessionRunHook()
    arguments = {"checkpoint_dir": "model", "hooks": [last], "chief_only_hooks": [first], **arguments}
    with tf.train.MonitoredTrainingSession(**arguments) as session:
        session.run(counter[1])
        hooks = session._hooks
    expected = {name: timer for name, timer in {**DEFAULTS, **changes}.items() if timer}
    assert hooks[0] is first and hooks[-1] is last
    assert {type(h).__name__: (h._timer._every_secs, h._timer._every_steps) for h in hooks[1:-1]} == expected


def test_resuming(counter, logged, tmp_path):
    for start in (0, 3, 6):
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=str(tmp_path), hooks=[tf.train.StopAtStepHook(3)]
        ) as session:
            values = []
            while not session.should_stop():
                values.append(int(session.run(counter[1])))
        assert values == [start + 1, start + 2, start + 3]
        restored = f"Restoring parameters from {tmp_path}/model.ckpt-{start}"
        assert (restored in logged()) == (start > 0)


def test_a_worker_waits_for_its_chief(counter, tmp_path):
    with pytest.raises(tf.errors.DeadlineExceededError, match="Session was not ready after waiting 0 secs."):
        tf.train.MonitoredTrainingSession(is_chief=False, max_wait_secs=0)


@pytest.mark.parametrize("save_graph_def", [True, False])
def test_checkpoints_with_and_without_their_graph(counter, tmp_path, save_graph_def):
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), save_graph_def=save_graph_def) as session:
        session.run(counter[1])
    names = {path.name for path in tmp_path.iterdir()}
    assert {"model.ckpt-0.index", "model.ckpt-1.index", "checkpoint"} <= names
    graphs = {"graph.pbtxt", "model.ckpt-0.meta", "model.ckpt-1.meta"}
    assert graphs & names == (graphs if save_graph_def else set())


def test_what_local_initializers_are_fed():
    with tf.Graph().as_default():
        fed = tf.placeholder(tf.float32, [])
        local = tf.Variable(fed, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="local")
        scaffold = tf.train.Scaffold(local_init_feed_dict={fed: 3.0})
        assert tf.train.Scaffold(copy_from_scaffold=scaffold).local_init_feed_dict == {fed: 3.0}
        manager = tf.train.SessionManager(local_init_op=local.initializer, local_init_feed_dict={fed: 4.0})
        with manager.prepare_session("", init_op=tf.no_op()) as session:
            assert session.run(local) == 4
        with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold)) as session:
            assert session.run(local) == 3


def test_the_session_underneath(tmp_path):
    tf.Variable(1.0, name="v")
    saver = tf.train.Saver()
    with tf.train.MonitoredSession() as session:
        assert isinstance(session._tf_sess(), tf.Session)
        assert saver.save(session._tf_sess(), str(tmp_path / "model"))
        with pytest.raises(TypeError, match="'sess' must be a Session"):
            saver.save(session, str(tmp_path / "model"))
