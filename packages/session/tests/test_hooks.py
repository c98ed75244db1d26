"""The hooks, one after the other."""

import io
import json
import threading
import time

import numpy as np
import pytest

import ossia as tf

MADE = ["Graph was finalized.", "Running local_init_op.", "Done running local_init_op."]


def run(hooks, fetches, times=None):
    """Runs until a hook asks for a stop, or so often; returns the values."""
    values = []
    with tf.train.SingularMonitoredSession(hooks=hooks) as session:
        while not session.should_stop() and (times is None or len(values) < times):
            values.append(session.run(fetches))
    return values


def events(folder):
    """The events of a folder after those that describe the graph: (step, kind, tags or status)."""
    found = []
    for path in sorted(folder.glob("events.out.tfevents.*")):
        for event in tf.train.summary_iterator(str(path)):
            kind = event.WhichOneof("what")
            if kind == "summary":
                found.append((event.step, kind, [value.tag for value in event.summary.value]))
            elif kind == "session_log":
                found.append((event.step, kind, event.session_log.status))
            elif kind == "tagged_run_metadata":
                found.append((event.step, kind, event.tagged_run_metadata.tag))
    return found


def test_timer_by_steps():
    timer = tf.train.SecondOrStepTimer(every_steps=3)
    assert timer.last_triggered_step() is None
    at = []
    for step in range(8):
        if timer.should_trigger_for_step(step):
            seconds, steps = timer.update_last_triggered_step(step)
            at.append((step, steps, seconds is None or seconds >= 0))
            assert not timer.should_trigger_for_step(step)
    assert at == [(0, None, True), (3, 3, True), (6, 3, True)] and timer.last_triggered_step() == 6
    timer.reset()
    assert timer.should_trigger_for_step(6)


def test_timer_by_seconds(monkeypatch):
    timer = tf.train.SecondOrStepTimer(every_secs=1.5)
    now = [100.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    at = []
    for step in range(6):
        if timer.should_trigger_for_step(step):
            at.append((step, *timer.update_last_triggered_step(step)))
        now[0] += 1
    assert at == [(0, None, None), (2, 2.0, 2), (4, 2.0, 2)]


@pytest.mark.parametrize("arguments", [{"num_steps": 3}, {"last_step": 3}], ids=str)
def test_stop_at_step(counter, arguments):
    assert run([tf.train.StopAtStepHook(**arguments)], counter[1]) == [1, 2, 3]


def test_stop_at_a_step_that_is_past(counter):
    assert run([tf.train.StopAtStepHook(last_step=0)], counter[1]) == [1]


def test_logging(counter, logged):
    step, advance = counter
    values = tf.constant([1.5, np.nan, 1e-9], name="values")
    run([tf.train.LoggingTensorHook({"v": values, "a": tf.constant(0.123456789)}, every_n_iter=2)], advance, 3)
    first, second = logged()[len(MADE) :]
    assert first == "a = 0.12345679, v = [1.5 nan 0. ]"
    assert second.startswith(first + " (") and second.endswith(" sec)")
    run([tf.train.LoggingTensorHook(["values:0"], at_end=True)], advance, 3)
    assert logged()[len(MADE) :] == ["values:0 = [1.5 nan 0. ]"]
    run([tf.train.LoggingTensorHook({"v": step}, every_n_secs=1000, formatter=lambda v: f"<{v['v']}>")], advance, 3)
    assert len(logged()[len(MADE) :]) == 1


def test_step_counter(counter, logged, tmp_path):
    run([tf.train.StepCounterHook(2, output_dir=str(tmp_path))], counter[1], 7)
    lines = logged()[len(MADE) :]
    assert len(lines) == 3 and all(float(line.removeprefix("global_step/sec: ")) > 0 for line in lines)
    tf.summary.FileWriterCache.clear()
    assert events(tmp_path) == [(step, "summary", ["global_step/sec"]) for step in (3, 5, 7)]


def test_step_counter_notices_that_nothing_moves(counter, logged):
    run([tf.train.StepCounterHook(1)], counter[0], 9)
    warnings = logged()[len(MADE) :]
    assert (
        len(warnings) == 5
        and "has not been increased. Current value (could be stable): 0 vs previous value: 0" in warnings[0]
    )


def test_checkpoint_saver(counter, logged, tmp_path):
    told = []

    class Listener(tf.train.CheckpointSaverListener):
        def begin(self):
            told.append("begin")

        def before_save(self, session, step):
            told.append(("before", step))

        def after_save(self, session, step):
            told.append(("after", step))
            return step == 4

        def end(self, session, step):
            told.append(("end", step))

    listener = Listener()
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=2, listeners=[listener])
    assert run([hook], counter[1]) == [1, 2, 3, 4]
    around = [(when, step) for step in (0, 2, 4) for when in ("before", "after")]
    assert told == ["begin", *around, ("end", 4)]
    path = tmp_path / "model.ckpt"
    assert logged() == [
        "Create CheckpointSaverHook.",
        *MADE,
        *[f"Saving checkpoints for {step} into {path}." for step in (0, 2, 4)],
        f"A CheckpointSaverListener requested that training be stopped. listener: {listener}",
    ]
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert state.model_checkpoint_path == f"{path}-4"
    assert list(state.all_model_checkpoint_paths) == [f"{path}-{step}" for step in (0, 2, 4)]
    assert (tmp_path / "graph.pbtxt").read_text().startswith("node {")
    tf.summary.FileWriterCache.clear()
    assert events(tmp_path) == [(step, "session_log", 3) for step in (0, 2, 4)]


def test_checkpoint_saver_saves_the_end(counter, tmp_path):
    run([tf.train.CheckpointSaverHook(str(tmp_path), save_secs=1000)], counter[1], 3)
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("-3")


def test_checkpoint_saver_needs_one_saver(counter, tmp_path):
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver())
    scaffold = tf.train.Scaffold(saver=tf.train.Saver())
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=1)
    with pytest.raises(RuntimeError, match="More than one item in collection savers"):
        tf.train.SingularMonitoredSession(hooks=[hook], scaffold=scaffold)


def test_summary_saver(counter, tmp_path):
    tf.summary.scalar("s", tf.cast(counter[0], tf.float32))
    hook = tf.train.SummarySaverHook(save_steps=3, output_dir=str(tmp_path), summary_op=tf.summary.merge_all())
    run([hook], counter[1], 8)
    tf.summary.FileWriterCache.clear()
    assert events(tmp_path) == [(1, "session_log", 1), *[(step, "summary", ["s"]) for step in (1, 4, 7)]]


def test_nan(counter, logged):
    nan = tf.constant(np.nan)
    with pytest.raises(tf.train.NanLossDuringTrainingError, match="NaN loss during training."):
        run([tf.train.NanTensorHook(nan)], counter[1])
    assert run([tf.train.NanTensorHook(nan, fail_on_nan_loss=False)], counter[1]) == [1]
    assert logged().count("Model diverged with loss = NaN.") == 2
    assert len(run([tf.train.NanTensorHook(tf.constant(1.0))], counter[1], 3)) == 3


def test_global_step_waiter(counter, logged):
    hook = tf.train.GlobalStepWaiterHook(3)
    assert run([tf.train.GlobalStepWaiterHook(0)], counter[1], 1) == [1]
    hook.begin()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        threading.Timer(0.1, lambda: [session.run(counter[1]) for _ in range(3)]).start()
        hook.before_run(tf.train.SessionRunContext(None, session))
        assert session.run(counter[0]) == 3
    assert logged()[-2:] == ["Waiting for global step 3 before starting training.", "Done waiting."]


def test_final_ops_and_feeds(counter):
    x = tf.placeholder(tf.float32)
    fed = iter(range(10))
    final = tf.train.FinalOpsHook({"double": 2 * x}, {x: 21.0})
    assert final.final_ops_values is None
    assert run([final, tf.train.FeedFnHook(lambda: {x: next(fed)})], x + 1, 3) == [1, 2, 3]
    assert final.final_ops_values == {"double": 42.0}


def test_profiler(counter, logged, tmp_path, monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", "numpy")  # one step for each op
    product = tf.matmul(tf.random_uniform([9, 9]), tf.ones([9, 9]))
    hook = tf.train.ProfilerHook(save_steps=2, output_dir=str(tmp_path), show_memory=True)
    run([hook], [counter[1], product], 5)
    assert logged()[len(MADE) :] == [f"Saving timeline for {s} into '{tmp_path}/timeline-{s}.json'." for s in (2, 4)]
    trace = json.loads((tmp_path / "timeline-4.json").read_text())["traceEvents"]
    steps = {event["args"]["name"]: event for event in trace if event["ph"] == "X"}
    assert steps["MatMul"]["name"] == "MatMul" and steps["MatMul"]["dur"] >= 1
    assert any(event["ph"] == "s" for event in trace) and any(event["ph"] == "C" for event in trace)
    tf.summary.FileWriterCache.clear()
    assert events(tmp_path) == [(0, "tagged_run_metadata", f"step_{s}") for s in (2, 4)]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_drawn_on_terminals(counter):
    terminal = Terminal()
    stop = tf.train.StopAtStepHook(last_step=4)
    run([stop, tf.train.ProgressHook(hooks=[stop], loss=counter[1], every_n_secs=0, stream=terminal)], counter[1])
    lines = terminal.getvalue().split("\r")
    assert lines[-1].startswith("[") and "100%" in lines[-1] and lines[-1].endswith("\n")
    assert any("step 2/4" in line and "loss" in line for line in lines)


def test_progress_is_silent_elsewhere(counter):
    stream = io.StringIO()
    run([tf.train.ProgressHook(stream=stream)], counter[1], 3)
    assert stream.getvalue() == ""
