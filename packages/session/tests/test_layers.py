"""The layers of a monitored session alone, around sessions of any kind."""

import pytest

import ossia as tf
from ossia_session import layers
from ossia_session.hooks.timer import NeverTimer


@pytest.fixture
def session(graph):
    with tf.Session() as session:
        yield session


class Failing:
    """A session that is lost after some runs."""

    sess_str = ""

    def __init__(self, session, runs):
        self.session, self.runs = session, runs
        self.graph = session.graph

    def run(self, *args, **kwargs):
        self.runs -= 1
        if self.runs < 0:
            raise tf.errors.AbortedError(None, None, "lost")
        return self.session.run(*args, **kwargs)

    def close(self):
        raise tf.errors.UnavailableError(None, None, "lost")


def test_a_wrapped_session(session):
    class Stopping(layers.WrappedSession):
        asked = 0

        def _check_stop(self):
            self.asked += 1
            return self.asked > 2

    wrapped = layers.WrappedSession(session)
    assert wrapped.graph is session.graph and wrapped.sess_str == session.sess_str and not wrapped.should_stop()
    assert wrapped.run(tf.constant(3)) == 3
    outer = layers.WrappedSession(Stopping(session))
    assert [outer.should_stop() for _ in range(3)] == [False, False, True]
    lost = layers.WrappedSession(Failing(session, 1))
    lost.close()  # that it is lost is no error
    lost.close()
    assert lost.should_stop()


def test_a_hooked_session_stops_where_its_session_has_stopped(session):
    class Stopped(layers.WrappedSession):
        def _check_stop(self):
            return True

    hooked = layers.HookedSession(Stopped(session), [])
    assert hooked.should_stop()
    with pytest.raises(RuntimeError, match="should_stop requested"):
        hooked.run(tf.constant(1))


def test_a_coordinated_session_says_why_it_stops(session):
    coord = tf.train.Coordinator()
    coordinated = layers.CoordinatedSession(session, coord)
    assert not coordinated.should_stop() and coordinated.run(tf.constant(2)) == 2
    coord.request_stop()
    assert coordinated.should_stop()
    coord = tf.train.Coordinator()
    coordinated = layers.CoordinatedSession(session, coord)
    coord.request_stop(ValueError("of a thread"))
    with pytest.raises(ValueError, match="of a thread"):
        coordinated.should_stop()
    with pytest.raises(ValueError, match="of a thread"):
        coordinated.close()


def test_a_recoverable_session_is_made_anew(session):
    made = []

    class Creator:
        def create_session(self):
            made.append(Failing(session, 2))
            return made[-1]

    recoverable = layers.RecoverableSession(Creator())
    assert [int(recoverable.run(tf.constant(5))) for _ in range(5)] == [5] * 5 and len(made) == 3
    assert not recoverable.should_stop() and recoverable.graph is session.graph
    recoverable.close()
    assert recoverable.should_stop()


def test_whether_to_stop_is_asked_in_a_new_session_too(session):
    class Lost(layers.WrappedSession):
        def _check_stop(self):
            raise tf.errors.AbortedError(None, None, "lost")

    class Broken(layers.WrappedSession):
        def _check_stop(self):
            raise ValueError

    class Creator:
        def __init__(self, *sessions):
            self.sessions = list(sessions)

        def create_session(self):
            return self.sessions.pop(0)

    assert not layers.RecoverableSession(Creator(Lost(session), layers.WrappedSession(session))).should_stop()
    assert layers.RecoverableSession(Creator(Broken(session))).should_stop()


def test_a_timer_that_never_fires():
    timer = NeverTimer()
    assert timer.update_last_triggered_step(3) == (None, None)
    assert timer.last_triggered_step() is None and not timer.should_trigger_for_step(4)
