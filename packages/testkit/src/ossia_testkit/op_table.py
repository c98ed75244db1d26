"""Table tests: every op of a package goes through the same checks, one for each of its samples and backends.

    TestOps = op_table_tests("ossia_ops")

in a test module makes them. The samples stand with the ops (`op.samples(reason=...)`).
"""
from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from ossia_core.declare import opdef
from ossia_testkit import comparison, op_samples, op_transport, recording, registered, watching
from ossia_testkit.samples.departures import OTHER_GRADIENTS, UNTRIED

STEP = 1e-6  # of the finite differences
LARGE = 1 << 14  # bytes of a value of which only what differs is compared in detail
HOSTILE_BYTES = 1 << 30  # memory that a hostile input may ask for
SPECIAL = {"nan": np.nan, "inf": np.inf, "minus_inf": -np.inf, "minus_zero": -0.0, "denormal": 1e-42, "largest": 3e38}
HOSTILE_MILLISECONDS = 1000  # that a run with hostile inputs may take: a queue waits for what never comes
HOSTILE = {
    "scalar": lambda a: np.asarray(
        a.ravel()[0] if a.size else b"" if a.dtype == object else np.zeros((), a.dtype), a.dtype
    ),
    "empty": lambda a: a[..., :0] if a.ndim else a,
    "deeper": lambda a: a[np.newaxis],
    "flat": lambda a: a.ravel(),
    "rank_9": lambda a: a.reshape(a.shape + (1,) * (9 - a.ndim)),
    "negative": lambda a: number(a, -1),
    "large": lambda a: number(a, 2**31 - 1),
    "seven": lambda a: number(a, 7),
    "zero": lambda a: number(a, 0),
}


def number(array: np.ndarray, value: int) -> np.ndarray:
    """`array` with every element set to `value`, where it is a signed integer; else as it is."""
    return np.full_like(array, value) if array.dtype.kind == "i" and array.dtype.itemsize >= 4 else array


def backends() -> list[str]:
    """Names of the installed backends other than NumPy's."""
    from ossia_core.backend import installed_backends

    with watching.chosen(None):
        return [backend.name for backend in installed_backends() if backend.name != "numpy"]


def chosen_samples(*packages: str) -> dict[str, tuple[Any, Any]]:
    """The samples of the ops of some packages, or of all, that the options of the test session choose."""
    choice = registered.choice
    return op_samples.package_samples(
        *packages, takes=lambda kind, module: choice.takes("op", kind, module, packages)
    )


def execute(built: op_samples.SampleGraph, extra: Any = (), feeds: dict | None = None) -> list[np.ndarray]:
    """The values that a sample's runs fetch (outputs, then state), then of `extra`, in a session of its own."""
    with opened(built) as session:
        return run(built, session, extra, feeds)


def opened(built: op_samples.SampleGraph, milliseconds: int = 0) -> Any:
    """A session for a sample; runs that take longer than so many milliseconds, if any are given, end with
    DeadlineExceededError."""
    import ossia as tf

    config = tf.ConfigProto(operation_timeout_in_ms=milliseconds) if milliseconds else None
    return tf.Session(graph=built.graph, config=config)


def run(
    built: op_samples.SampleGraph, session: Any, extra: Any = (), feeds: dict | None = None
) -> list[np.ndarray]:
    """The values as of `execute`, with the sample's state as at first."""
    with op_transport.workplace(built.files):
        if built.init:
            session.run(built.init)
        feeds = {**built.feeds, **(feeds or {})}
        return [as_array(value) for fetches in (*built.runs, list(extra)) if fetches
                for value in session.run(fetches, feeds) if value is not None]


def as_array(value: Any) -> np.ndarray:
    """A fetched value as an array; NumPy's own string type would drop zero bytes at the end."""
    return np.asarray(value, object if isinstance(value, bytes) else None)


def same(left: list[np.ndarray], right: list[np.ndarray], exact: bool = False) -> str:
    """How two lists of values differ; empty when they agree."""
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        if a.dtype == b.dtype and a.shape == b.shape and a.dtype != object:
            different = np.flatnonzero(a.reshape(-1).view(f"V{a.itemsize}") != b.reshape(-1).view(f"V{b.itemsize}"))
            if not len(different):
                continue
            if a.nbytes > LARGE:
                a, b = a.reshape(-1)[different[:LARGE // 16]], b.reshape(-1)[different[:LARGE // 16]]
        found = comparison.array_difference(recording.array_record(a), recording.array_record(b), 0 if exact else None)
        if found:
            return f"value {index}: {found[0]}"
    return ""


def op_table_tests(*packages: str) -> type:
    """A test class with every check for every sample of the packages' ops; of all ops without packages.

    A sample whose reason starts with `refused` must give an orderly error; one called `unset` is only built, never run.
    What is not as the checks want it, because the original does not have it so, is in `samples.departures`.
    """
    table = chosen_samples(*packages)
    table = {name: found for name, found in table.items() if not name.endswith("-unset")}
    refused = [name for name in table if name.split("-")[1].startswith("refused")]
    names = [name for name in table if name not in refused and name not in UNTRIED]
    left_out = {*refused, *UNTRIED, *OTHER_GRADIENTS}
    differentiated = [name for name, (_, found) in table.items()
                      if not op_samples.is_steps(found) and not {name, name.split("-")[0]} & left_out
                      and has_gradient(name.split("-")[0])]
    fed = [name for name in names if op_samples.is_fed(*table[name])]
    knowing = [name for name in names if table[name][0].known_inputs]
    ordinary = [name for name in fed if not name.split("-")[1].startswith("special")]

    definitions = {definition.type: definition for definition, _ in table.values()}
    valued = {f"{kind}-{reason}": definition for kind, definition in definitions.items()
              for reason in registered.samples("op", kind) if reason}

    class TestOps:
        """The checks."""

        kind = "op"

        if refused:

            @pytest.mark.parametrize("name", refused)
            def test_refused(self, name):
                """A sample that is to be refused is refused in an orderly way, when it is built or when it runs."""
                import ossia as tf

                with pytest.raises((tf.errors.OpError, ValueError, TypeError)) as caught:
                    with op_samples.sample_graph(*table[name]) as built:
                        execute(built)
                assert not isinstance(caught.value, (tf.errors.InternalError, tf.errors.UnknownError))

        @pytest.mark.parametrize("flavour", op_samples.FLAVOURS)
        @pytest.mark.parametrize("name", names)
        def test_shapes_and_determinism(self, name, flavour):
            """What runs has the static dtype and a shape that the static one allows; a second run gives the same."""
            with op_samples.sample_graph(*table[name], flavour) as built:
                values = execute(built)
                for tensor, value in zip(built.outputs(), values, strict=False):
                    assert tensor.shape.is_compatible_with(value.shape), f"{tensor}: ran as {value.shape}"
                    static = np.dtype(tensor.dtype.base_dtype.as_numpy_dtype)
                    plain = static[0] if static.names else static  # quantized tensors run as their integers
                    assert value.dtype in (plain, object), f"{tensor}: ran as {value.dtype}"
                assert not same(values, execute(built), exact=True)

        @pytest.mark.parametrize("name", names)
        def test_round_trip(self, name):
            """The exported graph, imported again, is the same graph and gives the same values."""
            import ossia as tf

            sent = op_samples.transport(*table[name], "known")
            with op_samples.sample_graph(*table[name]) as built:
                values = execute(built)
                before = recording.graph_record(tf, built.graph)
            with tf.Graph().as_default() as graph:
                tf.import_graph_def(built.graph.as_graph_def(), name="")
                assert not comparison.graph_differences(before, recording.graph_record(tf, graph))
                with op_transport.workplace(built.files), tf.Session() as session:
                    again = [as_array(value) for names in op_transport.names_by_run(sent)
                             for value in session.run(names) if value is not None]
            assert not same(values, again, exact=True)

        @pytest.mark.parametrize("name", names)
        def test_kernel(self, name):
            """The NumPy kernel neither changes an input nor returns one, unless the op says that it does."""
            quiet, changes = np.errstate(all="ignore"), [{}]
            with op_samples.sample_graph(*table[name], "unknown") as built, quiet, watching.watched("numpy") as wrong:
                changes += [{tensor: np.ones_like(value)} for tensor, value in built.feeds.items()
                            if name in ordinary and value.dtype.kind == "f"]
                for change in changes:
                    attempt(built, change, "numpy")
            assert not wrong, ", ".join(dict.fromkeys(wrong))

        if valued:

            @pytest.mark.parametrize("name", valued)
            def test_values(self, name):
                """The values are those that the distribution says."""
                kind, _, reason = name.partition("-")
                sample = registered.samples("op", kind)[reason]
                definition = valued[name]
                inputs = opdef.sample(*sample["inputs"], **sample.get("attrs", {}))
                with op_samples.sample_graph(definition, inputs) as built:
                    for value, expected in zip(execute(built), sample["values"], strict=True):
                        np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-7)

        if knowing:

            @pytest.mark.parametrize("name", knowing)
            def test_unknown_shapes_are_refused(self, name):
                """A node is refused where the shape of an input is not known that has to be."""
                definition, sample = table[name]
                needed = definition.known_inputs
                for one in needed:
                    definition.known_inputs = tuple(other for other in needed if other != one)
                    try:
                        with pytest.raises(ValueError), op_samples.sample_graph(definition, sample, "unknown"):
                            raise AssertionError(f"{name} was built without the shape of {one}")
                    finally:
                        definition.known_inputs = needed

        if differentiated:

            @pytest.mark.parametrize("name", differentiated)
            def test_gradient(self, name):
                """The gradient agrees with finite differences in float64."""
                check_gradient(*table[name])

        if backends():

            @pytest.mark.parametrize("other", backends())
            @pytest.mark.parametrize("name", names)
            def test_backend(self, name, other):
                """Another backend gives what NumPy's gives."""
                with op_samples.sample_graph(*table[name], "unknown") as built:
                    with watching.chosen("numpy"):
                        expected = execute(built)
                    with watching.chosen(other):
                        assert not same(expected, execute(built))

        @pytest.mark.parametrize("special", SPECIAL)
        @pytest.mark.parametrize("name", ordinary)
        def test_special_values(self, name, special):
            """Special floats among ordinary ones give values or an orderly error, the same on every backend."""
            check_changed(*table[name], lambda a: np.full_like(a, SPECIAL[special]) if a.dtype.kind == "f" else a)

        @pytest.mark.parametrize("hostile", HOSTILE)
        @pytest.mark.parametrize("name", fed)
        def test_hostile_inputs(self, name, hostile):
            """Wrong ranks, empty tensors and numbers out of range give values or an orderly error."""
            check_changed(*table[name], HOSTILE[hostile])

    return TestOps


def check_changed(definition: Any, sample: Any, change: Any) -> None:
    """Run a sample with changed inputs, one input at a time; only orderly errors may come."""
    with (
        op_samples.sample_graph(definition, sample, "unknown") as built, limited_memory(), np.errstate(all="ignore"),
        Attempts(built) as attempts,
    ):
        for tensor, value in built.feeds.items():
            changed = change(value)
            if changed is not value:
                outcomes = {name: attempts({tensor: changed}, name) for name in ["numpy", *backends()]}
                expected = outcomes.pop("numpy")
                for name, got in outcomes.items():
                    assert isinstance(got, str) == isinstance(expected, str), f"{name}: {got}, NumPy: {expected}"
                    differs = "" if isinstance(got, str) else same(without_denormals(expected), without_denormals(got))
                    assert not differs, f"{name} differs from NumPy: {differs}"


def without_denormals(values: list[np.ndarray]) -> list[np.ndarray]:
    """Float32 values in which denormal numbers are zero: backends may flush them, as the original does."""
    tiny = np.finfo(np.float32).tiny
    return [np.where(np.abs(v) < tiny, np.float32(0), v) if v.dtype == np.float32 else v for v in values]


class Attempts:
    """Runs of a sample with other inputs.

    A session of each backend serves all of them, and so plans once, where a run begins with the state as at first;
    where the sample makes other resources, such as queues, each run has a session of its own.
    """

    def __init__(self, built: op_samples.SampleGraph, milliseconds: int = HOSTILE_MILLISECONDS) -> None:
        self._built, self._milliseconds = built, milliseconds
        self._sessions: dict[str, Any] = {}

    def __enter__(self) -> Attempts:
        return self

    def __exit__(self, *exc: object) -> None:
        for session in self._sessions.values():
            session.close()

    def __call__(self, feeds: dict, name: str) -> Any:
        """The values of a run with these inputs on a backend, or the class of the orderly error."""
        import ossia as tf

        try:
            with watching.chosen(name):
                if not self._built.restarts:
                    with opened(self._built, self._milliseconds) as session:
                        return run(self._built, session, feeds=feeds)
                if name not in self._sessions:
                    self._sessions[name] = opened(self._built, self._milliseconds)
                return run(self._built, self._sessions[name], feeds=feeds)
        except (tf.errors.InternalError, tf.errors.UnknownError) as error:
            raise AssertionError(f"{name}: no orderly error for {list(feeds.values())}: {error}") from error
        except tf.errors.OpError as error:
            return type(error).__name__
        except ValueError as error:
            return type(error).__name__


def attempt(
    built: op_samples.SampleGraph, feeds: dict, name: str, milliseconds: int = HOSTILE_MILLISECONDS
) -> Any:
    """The outcome of one run of `Attempts`."""
    with Attempts(built, milliseconds) as attempts:
        return attempts(feeds, name)


@contextmanager
def limited_memory() -> Iterator[None]:
    """Allocations of more than HOSTILE_BYTES fail inside."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + HOSTILE_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def check_gradient(definition: Any, sample: Any) -> None:
    """Compare the gradient of a sample with central differences, in float64 where the op allows it.

    Left out: samples that are not finite, and places where the op has a kink.
    """
    import ossia as tf

    with op_samples.sample_graph(definition, in_double(definition, sample), "unknown") as built:
        points = [t for t in built.inputs if t in built.feeds and t.dtype == tf.float64 and built.feeds[t].size]
        smooth = [t for t in built.op.outputs if t.dtype.base_dtype == tf.float64]
        if not points or not smooth:
            pytest.skip("in float32 and below, differences are too coarse to compare with")
        with tf.Session() as session, np.errstate(all="ignore"):
            values = session.run(smooth, built.feeds)
            weights = [np.cos(1 + np.arange(value.size)).reshape(value.shape) for value in values]
            try:
                slopes = tf.gradients(smooth, points, [tf.constant(weight, tf.float64) for weight in weights])
            except (LookupError, NotImplementedError):
                pytest.skip("the gradient is refused for these attributes, as in the original")
            for point, slope in zip(points, slopes, strict=True):
                def total(at, point=point):
                    moved = session.run(smooth, {**built.feeds, point: at})
                    return float(sum(np.sum(value * weight) for value, weight in zip(moved, weights, strict=True)))

                value = built.feeds[point]
                got = np.zeros_like(value) if slope is None else session.run(tf.convert_to_tensor(slope), built.feeds)
                assert got.shape == value.shape, f"gradient of shape {got.shape} for an input of shape {value.shape}"
                numeric, usable = finite_differences(total, value)
                scale = max(1.0, float(np.abs(numeric[usable]).max(initial=0.0)))
                close = np.isclose(got, numeric, rtol=1e-4, atol=1e-5 * scale)
                assert np.all(close | ~usable), f"{point.name}: got {got.tolist()}, differences {numeric.tolist()}"


def has_gradient(kind: str) -> bool:
    """Whether ops of this type have a gradient."""
    try:
        return opdef.gradient_of(kind) is not None
    except LookupError:
        return False


def in_double(definition: Any, sample: Any) -> Any:
    """The sample with its float inputs in float64, if its op takes that."""
    from ossia_core.declare.opdef import sample as make

    values, attrs = op_samples.call_parts(definition, sample)
    changed = []
    for arg, value in zip(definition.inputs, values, strict=True):
        attr = definition.attrs.get(arg.type_attr or "")
        fixed = attr is None or (attr.allowed is not None and "float64" not in [d.name for d in attr.allowed])
        if fixed or callable(value):
            changed.append(value)
        elif arg.is_list:
            changed.append([double(item) for item in value])
        else:
            changed.append(double(value))
    return make(*changed, **attrs)


def double(value: Any) -> Any:
    """`value` as float64 if it is made of floats."""
    array = np.asarray(value)
    return array.astype(np.float64) if array.dtype.kind == "f" or array.dtype.name == "bfloat16" else value


def finite_differences(function: Any, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Central differences of a scalar function at `point`, and where they mean something.

    They do not where a value is not finite, or where the differences to both sides disagree (a kink).
    """
    numeric, usable = np.zeros(point.shape), np.zeros(point.shape, bool)
    middle = function(point)
    for index in np.ndindex(*point.shape):
        step = STEP * max(1.0, abs(point[index])) if np.isfinite(point[index]) else STEP
        low, high = point.copy(), point.copy()
        low[index] -= step
        high[index] += step
        below, above = (middle - function(low)) / step, (function(high) - middle) / step
        numeric[index] = (below + above) / 2
        slope = max(1.0, abs(below), abs(above))
        usable[index] = np.isfinite(slope) and abs(below - above) < 1e-3 * slope
    return numeric, usable
