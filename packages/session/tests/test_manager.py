"""SessionManager and the parts of a Scaffold in action."""

import pytest

import ossia as tf


@pytest.fixture
def v():
    return tf.get_variable("v", [], initializer=tf.ones_initializer())


def test_prepare_initialises(v, logged):
    local = tf.get_variable("local", [], initializer=tf.zeros_initializer(), collections=[tf.GraphKeys.LOCAL_VARIABLES])
    manager = tf.train.SessionManager(
        local_init_op=tf.local_variables_initializer(), ready_op=tf.report_uninitialized_variables()
    )
    x = tf.placeholder(tf.float32)
    called = []
    with manager.prepare_session(
        "", init_op=tf.assign(v, x), init_feed_dict={x: 3.0}, init_fn=called.append
    ) as session:
        assert session.run([v, local]) == [3, 0] and called == [session]
    assert logged() == ["Running local_init_op.", "Done running local_init_op."]


def test_prepare_restores(v, tmp_path):
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(tf.assign(v, 7.0))
        for step in (1, 2):
            saver.save(session, str(tmp_path / "ckpt"), global_step=step)
    manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
    other = tf.train.Saver()
    for where in ({"checkpoint_dir": str(tmp_path)}, {"checkpoint_filename_with_path": str(tmp_path / "ckpt-1")}):
        with manager.prepare_session("", init_op=v.initializer, saver=other, **where) as session:
            assert session.run(v) == 7
    assert [path.rpartition("-")[2] for path in other.last_checkpoints] == ["1", "2"]
    session, restored = manager.recover_session("", saver, str(tmp_path))
    assert restored
    session.close()
    with pytest.raises(ValueError, match="Can not provide both"):
        manager.prepare_session("", saver=saver, checkpoint_dir="a", checkpoint_filename_with_path="b")


def test_what_is_not_ready(v, logged):
    missing = tf.report_uninitialized_variables()
    with pytest.raises(RuntimeError, match="no init_op or init_fn or local_init_op was given"):
        tf.train.SessionManager().prepare_session("")
    with pytest.raises(
        RuntimeError, match="did not make model ready.  Init op: nothing, .* error: Variables not initialized: v"
    ):
        tf.train.SessionManager(ready_op=missing).prepare_session("", init_op=tf.no_op("nothing"))
    manager = tf.train.SessionManager(
        ready_op=missing, ready_for_local_init_op=missing, local_init_op=tf.no_op(), recovery_wait_secs=0.01
    )
    with pytest.raises(RuntimeError, match="did not make model ready for local_init"):
        manager.prepare_session("", init_op=tf.no_op())
    assert manager.recover_session("")[1] is False
    logged()
    with pytest.raises(tf.errors.DeadlineExceededError, match="Session was not ready after waiting 0.05 secs."):
        manager.wait_for_session("", max_wait_secs=0.05)
    assert set(logged()) == {
        "Waiting for model to be ready.  Ready_for_local_init_op:  Variables not initialized: v, ready: None"
    }


def test_waiting_for_a_checkpoint(v, logged, tmp_path):
    manager = tf.train.SessionManager(recovery_wait_secs=0.01)
    session, restored = manager.recover_session(
        "", tf.train.Saver(), str(tmp_path), wait_for_checkpoint=True, max_wait_secs=0.03
    )
    assert not restored
    session.close()
    assert set(logged()) == {"Waiting for checkpoint to be available."}


def test_init_fn_of_a_scaffold(v):
    called = []
    scaffold = tf.train.Scaffold(init_fn=lambda scaffold, session: called.append((scaffold, session.run(v))))
    copy = tf.train.Scaffold(copy_from_scaffold=scaffold)
    for each in (scaffold, copy):
        with tf.train.SingularMonitoredSession(scaffold=each):
            pass
    assert called == [(scaffold, 1.0), (copy, 1.0)]


def test_several_parts_of_one_kind(v):
    for _ in range(2):
        tf.add_to_collection("init_op", tf.no_op())
    with pytest.raises(
        RuntimeError, match='More than one item in the collection "init_op".*tf.Scaffold\\(init_op=item to use\\)'
    ):
        tf.train.Scaffold().finalize()
