"""Session hooks: they fit into a monitored session, and leave alone what is not theirs.

The keys of a sample: `make`, a function that makes the hook (the default graph has a global step and a tensor `loss:0`,
which is the global step after the run, as a float), or `arguments` of its constructor; `stops`, the number of runs
after which it ends the loop, none if it is left out; `raises`, the class of the error that it raises.
"""

from __future__ import annotations

from typing import Any

import pytest

from ossia_testkit.registered import Row

RUNS = 9


class Loop:
    """A graph that counts steps, and a loop over it under hooks."""

    def __init__(self, row: Row) -> None:
        import ossia as tf

        self.tf, self.row, self.graph = tf, row, tf.Graph()
        with self.graph.as_default():
            self.step = tf.train.create_global_step()
            self.advance = tf.assign_add(self.step, 1)
            tf.to_float(self.advance, name="loss")

    def hook(self) -> Any:
        """The hook of the sample."""
        make = self.row.sample.get("make")
        return make() if make else self.row.load()(**self.row.sample.get("arguments", {}))

    def run(self, hooks: list[Any]) -> list[int]:
        """The values of the runs until a hook ends the loop."""
        values: list[int] = []
        with self.tf.train.MonitoredSession(hooks=hooks) as session:
            while not session.should_stop() and len(values) < RUNS:
                values.append(int(session.run(self.advance)))
        return values


class TestSessionHooks:
    """The checks."""

    kind = "session-hook"
    packages: tuple[str, ...] = ()

    @pytest.fixture
    def loop(self, row, tmp_path, monkeypatch):
        """The loop of a sample, in a folder of its own."""
        monkeypatch.chdir(tmp_path)
        loop = Loop(row)
        with loop.graph.as_default():
            yield loop
        loop.tf.summary.FileWriterCache.clear()  # while the folder that its writers write to is still the current one

    def test_is_served(self, row):
        """Programs find it as `tf.train.<name>`."""
        import ossia as tf

        assert issubclass(row.load(), tf.train.SessionRunHook)
        assert getattr(tf.train, row.name) is row.load()

    def test_loop(self, row, loop):
        """The loop gives the values that it gives without the hook, and ends when the sample says."""
        if "raises" in row.sample:
            with pytest.raises(row.sample["raises"]):
                loop.run([loop.hook()])
            return
        assert loop.run([loop.hook()]) == list(range(1, row.sample.get("stops", RUNS) + 1))

    def test_two_of_a_kind(self, row, loop):
        """Two hooks of the kind, and another one, get on with each other: each is asked, and told its own values."""
        if "raises" in row.sample:
            return
        tf, told = loop.tf, []

        class Watch(tf.train.SessionRunHook):
            def before_run(self, run_context):
                return tf.train.SessionRunArgs({"step": "loss:0"})

            def after_run(self, run_context, run_values):
                told.append(int(run_values.results["step"]))

        values = loop.run([Watch(), loop.hook(), loop.hook(), Watch()])
        assert told == [value for value in values for _ in range(2)]
        assert values == list(range(1, row.sample.get("stops", RUNS) + 1))

    def test_answers(self, row, loop):
        """`before_run` returns SessionRunArgs or None, and each method takes what the session gives it."""
        tf, hook, answers = loop.tf, loop.hook(), []
        before_run = hook.before_run

        def noted(run_context):
            answers.append(before_run(run_context))
            return answers[-1]

        hook.before_run = noted
        if "raises" in row.sample:
            with pytest.raises(row.sample["raises"]):
                loop.run([hook])
        else:
            loop.run([hook])
        assert answers and all(answer is None or isinstance(answer, tf.train.SessionRunArgs) for answer in answers)

    def test_errors_pass(self, row, loop):
        """An error of the program ends the loop and reaches the program as it is; `end` is not called."""
        if "raises" in row.sample:
            return
        hook, ended = loop.hook(), []
        end = hook.end
        hook.end = lambda session: (ended.append(session), end(session))
        with pytest.raises(ZeroDivisionError, match="^of the program$"):
            with loop.tf.train.MonitoredSession(hooks=[hook]) as session:
                session.run(loop.advance)
                raise ZeroDivisionError("of the program")
        assert not ended

    def test_session_is_made_anew(self, row, loop):
        """A session that was lost is made again, and the hook goes on with it."""
        if "raises" in row.sample:
            return
        tf = loop.tf

        class Loses(tf.train.SessionRunHook):
            runs = 0

            def before_run(self, run_context):
                self.runs += 1
                if self.runs == 3:
                    raise tf.errors.AbortedError(None, None, "lost")

        values = loop.run([Loses(), loop.hook()])
        assert values[:2] == [1, 2] and values[2:] == list(range(1, len(values) - 1))

    def test_used_again(self, row, loop):
        """A hook that has seen a session begins anew with the next one."""
        if "raises" in row.sample:
            return
        hook = loop.hook()
        first = loop.run([hook])
        assert loop.run([hook]) == first
