"""Backends: every sample of every op, on every backend, as on NumPy's; `--ossia-op` says which ops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ossia_testkit import op_samples, op_table, registered, watching

LENGTHS = (1, 9, 67)  # of vectors: alone, after eight, after sixty-four and in the middle of four
LATE, PATIENT_MILLISECONDS = "DeadlineExceededError", 60_000
PLACES = {"all": slice(None), "first": slice(None, 1), "last": slice(-1, None)}
LAYOUTS = {
    "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "backwards": lambda a: a[..., ::-1].copy()[..., ::-1],
    "columns": lambda a: np.asfortranarray(a),
    "read_only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A row for every sample of the chosen ops, on every chosen backend."""
    choice = registered.choice
    things = registered.things("backend")
    names = sorted(name for name, target in things.items() if choice.takes("backend", name, target))
    if not choice.names.get("backend") and names != ["numpy"]:
        names = [name for name in names if name != "numpy"]  # the reference is compared with itself if it is asked for
    if "other" in metafunc.fixturenames:
        metafunc.parametrize("other", names)
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", TABLE)


def _table() -> dict[str, tuple[Any, Any]]:
    found = op_table.chosen_samples()
    return {name: sample for name, sample in found.items()
            if not name.endswith("-unset") and not name.split("-")[1].startswith("refused")}


TABLE = _table() if registered.choice.runs("backend") else {}


class Runs:
    """A sample on a backend: one session for all runs, or one for each if it has a state."""

    def __init__(
        self, built: op_samples.SampleGraph, backend: str, milliseconds: int = op_table.HOSTILE_MILLISECONDS
    ) -> None:
        import ossia as tf

        self.built, self.backend, self.milliseconds = built, backend, milliseconds
        self.fresh = built.op is None or bool(built.init) or built.op.definition.stateful
        config = tf.ConfigProto(operation_timeout_in_ms=milliseconds)
        with watching.chosen(backend):  # a session asks for its backends when it is made
            self.session = None if self.fresh else tf.Session(graph=built.graph, config=config)

    def __call__(self, feeds: dict[Any, Any] | None = None) -> Any:
        """Values, or the class of the error, which has to be orderly."""
        import ossia as tf

        if self.session is None:
            return op_table.attempt(self.built, feeds or {}, self.backend, self.milliseconds)
        try:
            return [op_table.as_array(value) for fetches in self.built.runs
                    for value in self.session.run(fetches, {**self.built.feeds, **(feeds or {})}) if value is not None]
        except (tf.errors.InternalError, tf.errors.UnknownError) as error:
            raise AssertionError(f"no orderly error: {error}") from error
        except (tf.errors.OpError, ValueError) as error:
            return type(error).__name__


def compare(reference: Runs, other: Runs, feeds: dict[Any, Any] | None = None) -> None:
    """Both give the same values, or both an error."""
    expected, got = reference(feeds), other(feeds)
    if isinstance(got, str) != isinstance(expected, str) and LATE in map(str, (got, expected)):
        # The machine is busy, or one of them really waits.
        expected, got = (Runs(runs.built, runs.backend, PATIENT_MILLISECONDS)(feeds) for runs in (reference, other))
    shown = {tensor.name: np.asarray(value).tolist() for tensor, value in (feeds or {}).items()}
    assert isinstance(got, str) == isinstance(expected, str), f"{got} instead of {expected} for {shown}"
    if not isinstance(got, str):
        differs = op_table.same(op_table.without_denormals(expected), op_table.without_denormals(got))
        assert not differs, f"{differs} for {shown}"


@pytest.fixture(autouse=True)
def single_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backends are offered regions of one node."""
    monkeypatch.setattr("ossia_core.session.compile.regions.MIN_NODES", 1)


class TestBackends:
    """The checks."""

    kind = "backend"

    @pytest.mark.parametrize("flavour", ["unknown", "partial"])
    def test_values(self, name, other, flavour):
        """Values and dtypes are NumPy's, run after run; inputs are neither changed, kept nor returned."""
        quiet = np.errstate(all="ignore")
        with op_samples.sample_graph(*TABLE[name], flavour) as built, watching.watched(other) as wrong, quiet:
            reference, run = Runs(built, "numpy"), Runs(built, other)
            compare(reference, run)
            compare(reference, run)
            if not run.fresh:
                check_buffers(built, reference, run)
            assert not wrong, ", ".join(dict.fromkeys(wrong))

    def test_special_values(self, name, other):
        """Special floats in all places, or in the first or the last one."""
        with changed(name, other, ordinary=True) as (feeds, check):
            for tensor, value in feeds.items():
                for special in op_table.SPECIAL.values() if value.dtype.kind == "f" and value.size else ():
                    for place in PLACES.values() if value.size > 1 else [slice(None)]:
                        filled = value.copy()
                        filled.reshape(-1)[place] = special
                        check({tensor: filled})

    def test_hostile_inputs(self, name, other):
        """Wrong ranks, empty tensors and numbers out of range: values, or an error where NumPy's kernel has one."""
        with changed(name, other) as (feeds, check):
            for tensor, value in feeds.items():
                for change in op_table.HOSTILE.values():
                    different = change(value)
                    if different is not value:
                        check({tensor: different})

    def test_lengths(self, name, other):
        """Rows of other lengths: what is computed in blocks is computed to the end."""
        with changed(name, other) as (feeds, check):
            rows = {tensor: value for tensor, value in feeds.items() if value.ndim and value.size}
            for length in LENGTHS if rows and not op_samples.is_steps(TABLE[name][1]) else ():
                check({tensor: np.resize(value, (*value.shape[:-1], length)) for tensor, value in rows.items()})

    def test_layouts(self, name, other):
        """Inputs whose elements do not lie side by side, or that cannot be written."""
        with changed(name, other) as (feeds, check):
            for layout in LAYOUTS.values():
                check({tensor: layout(value) for tensor, value in feeds.items()
                       if value.ndim and value.size and value.dtype != object})


class changed:
    """A sample's feeds, and a function that compares both backends on others; ops work within limited memory."""

    def __init__(self, name: str, other: str, ordinary: bool = False) -> None:
        self.graph = op_samples.sample_graph(*TABLE[name], "unknown")
        self.other, self.special = other, ordinary and name.split("-")[1].startswith("special")

    def __enter__(self) -> tuple[dict[Any, np.ndarray], Any]:
        built = self.graph.__enter__()
        self.limit, self.quiet = op_table.limited_memory(), np.errstate(all="ignore")
        self.limit.__enter__()
        self.quiet.__enter__()
        self.watched = watching.watched(self.other)
        self.wrong = self.watched.__enter__()
        reference, run = Runs(built, "numpy"), Runs(built, self.other)
        return {} if self.special else built.feeds, lambda feeds: compare(reference, run, feeds)

    def __exit__(self, *error: Any) -> None:
        self.watched.__exit__(*error)
        self.quiet.__exit__(*error)
        self.limit.__exit__(*error)
        self.graph.__exit__(*error)
        assert error[0] or not self.wrong, ", ".join(dict.fromkeys(self.wrong))


def check_buffers(built: op_samples.SampleGraph, reference: Runs, run: Runs) -> None:
    """A later run with the same arrays, in which other numbers are, gives other values and leaves the first alone."""
    feeds = {tensor: value.copy() for tensor, value in built.feeds.items()}
    first = run(feeds)
    if isinstance(first, str):
        return
    assert not any(np.shares_memory(value, fed) for value in first for fed in feeds.values()), "a value is a feed"
    kept = [value.copy() for value in first]
    for value in feeds.values():
        if value.ndim and value.dtype.kind in "fc":
            value[...] = np.roll(value, 1) * 2
    compare(reference, run, feeds)
    differs = op_table.same(kept, first, exact=True)
    assert not differs, f"a later run changed the values of an earlier one: {differs}"


