"""Plan rewrites: what runs changes as the sample says, for the sessions that ask, and nothing that a program sees.

The keys of a sample: `build`, a function that builds a graph and returns what is fetched, a tensor or a list of them,
without inputs; `gone` and `made`, op types that the rewrite takes out of the plan or puts into it; `values`, what the
fetches give with the rewrite, what they give without if it is left out; `tolerance`, relative, 0 if it is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest


def asking(name: str) -> Any:
    """A ConfigProto that asks for a rewrite."""
    import ossia as tf

    config = tf.ConfigProto()
    config.graph_options.rewrite_options.custom_optimizers.add(name=name)
    return config


class TestPlanRewrites:
    """The checks."""

    kind = "plan-rewrite"
    packages: tuple[str, ...] = ()

    @pytest.fixture
    def fetches(self, row) -> Iterator[list]:
        """What the sample fetches, in a graph of its own."""
        import ossia as tf

        with tf.Graph().as_default():
            tf.set_random_seed(1)
            made = row.sample["build"]()
            yield list(made) if isinstance(made, (list, tuple)) else [made]

    @pytest.fixture
    def seen(self, row, monkeypatch) -> list[tuple[Counter, Counter]]:
        """The types of the nodes before and after each time that the rewrite is applied."""
        from ossia_core.plugins import manager as plugins

        found: list = []
        load, rewrite = plugins.load, row.load()

        def noted(rewriting: Any) -> None:
            before = Counter(op.type for op in rewriting.in_order())
            rewrite(rewriting)
            found.append((before, Counter(op.type for op in rewriting.in_order())))

        monkeypatch.setattr(plugins, "load", lambda target: noted if target == row.target else load(target))
        return found

    def test_values(self, row, fetches):
        """The fetches have their dtypes and shapes, and the values of the sample, in each run and session."""
        import ossia as tf

        with tf.Session() as session:
            plain = session.run(fetches)
        results = []
        for _ in range(2):
            with tf.Session(config=asking(row.name)) as session:
                results += [session.run(fetches), session.run(fetches)]
        expected = row.sample.get("values", plain)
        for result in results:
            for value, wanted, before in zip(result, expected, plain, strict=True):
                assert value.dtype == before.dtype and value.shape == before.shape
                np.testing.assert_allclose(value, wanted, rtol=row.sample.get("tolerance", 0))
            for value, first in zip(result, results[0], strict=True):
                np.testing.assert_array_equal(value, first)

    def test_nodes(self, row, fetches, seen):
        """The plan has the nodes that the sample says, and is rewritten once."""
        import ossia as tf

        with tf.Session(config=asking(row.name)) as session:
            session.run(fetches)
            session.run(fetches)
        assert len(seen) == 1, "the plan is rewritten more than once, or not at all"
        before, after = seen[0]
        for kind in row.sample.get("gone", ()):
            assert before[kind] and not after[kind], f"{kind} is there: {after}"
        for kind in row.sample.get("made", ()):
            assert after[kind] > before[kind], f"there is no new {kind}: {after}"

    def test_graph_is_left_alone(self, row, fetches):
        """The session's graph is what it was, node for node."""
        import ossia as tf

        graph = fetches[0].graph
        before = graph.as_graph_def().SerializeToString(deterministic=True), graph.version
        shapes = {t.name: t.shape.as_list() if t.shape.ndims is not None else None
                  for op in graph.get_operations() for t in op.outputs}
        with tf.Session(config=asking(row.name)) as session:
            session.run(fetches)
        assert (graph.as_graph_def().SerializeToString(deterministic=True), graph.version) == before
        assert shapes == {t.name: t.shape.as_list() if t.shape.ndims is not None else None
                          for op in graph.get_operations() for t in op.outputs}

    def test_only_where_asked(self, row, fetches, seen, monkeypatch):
        """It applies where a session asks for it, in each of the ways in which it may."""
        import ossia as tf

        with tf.Session() as session:
            session.run(fetches)
        assert not seen, "it applies without having been asked for"
        monkeypatch.setenv(f"TF_ENABLE_{row.name.upper()}", "1")
        with tf.Session() as session:
            session.run(fetches)
        assert len(seen) == 1

    def test_each_node_may_be_fetched_and_fed(self, row, fetches):
        """Whatever else is fetched keeps its dtype and shape; a fed value takes the place of the node's."""
        import ossia as tf

        tensors = [t for op in fetches[0].graph.get_operations() for t in op.outputs
                   if t.dtype == t.dtype.base_dtype and (t.dtype.is_floating or t.dtype.is_integer)]
        with tf.Session() as plain, tf.Session(config=asking(row.name)) as session:
            for tensor in tensors:
                before, value = plain.run(tensor), session.run(tensor)
                assert value.dtype == before.dtype and value.shape == before.shape, tensor.name
                fed = np.zeros_like(before)
                assert session.run([tensor, *fetches], {tensor: fed})[0].tolist() == fed.tolist()
