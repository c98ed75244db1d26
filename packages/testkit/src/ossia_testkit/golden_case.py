"""What a case file may import (`from golden_case import Case, raises`), alike under TensorFlow 1.15 and under Ossia."""
import re

import numpy as np


class Case(object):
    """A golden case that asks for more than "build, initialise, run the fetches once".

    A case function returns its fetches (tensor, operation, variable, SparseTensor, IndexedSlices, plain Python facts
    such as names and shapes, or lists, tuples and dicts of them), or a `Case` with these arguments:

    fetches: what to run.
    feeds: dict of feeds for every run, or a list with a dict for each run.
    init: run the initializers of global and local variables and of tables first, if there are any.
    steps: how many times to run the fetches.
    runs: instead of `fetches` and `steps`, a list of fetches, run one after the other; an item may be a pair
        `(fetches, feeds)`.
    graph: whether the graph (nodes, attributes, static shapes) is compared.
    nodes: how many nodes are compared, in the order of creation; all of them if None, and none if a call was refused,
        which may leave nodes behind.
    graph_only: build and compare the graph, run nothing.
    values: whether the values are compared; without it an error in a run still is.
    tolerance: relative and absolute tolerance instead of the one of the dtype; 0 for bit equality.
    collections: whether the collections are compared.
    """

    def __init__(self, fetches=None, feeds=None, init=True, steps=1, runs=None, graph=True, graph_only=False,
                 values=True, tolerance=None, collections=True, nodes=None):
        self.fetches = fetches
        self.feeds = feeds
        self.init = init
        self.steps = steps
        self.runs = runs
        self.graph = graph
        self.graph_only = graph_only
        self.values = values
        self.tolerance = tolerance
        self.collections = collections
        self.nodes = nodes

    def schedule(self):
        """The runs as a list of (fetches, feeds)."""
        items = self.runs if self.runs is not None else [self.fetches] * self.steps
        schedule = []
        for index, item in enumerate(items):
            feeds = self.feeds[index] if isinstance(self.feeds, list) else self.feeds
            if self.runs is not None and isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], dict):
                item, feeds = item
            schedule.append((item, feeds or {}))
        return schedule


class Raised(object):
    """The fact that a call raised an exception (or, with `error` None, did not)."""

    used = 0

    def __init__(self, error, pattern=None):
        Raised.used += 1
        self.pattern = pattern
        self.matches = pattern is None or error is not None and re.search(pattern, first_part(error)) is not None
        self.message = str(error) if error is not None else ""
        self.classes = [kind.__name__ for kind in type(error).__mro__] if error is not None else ["no error"]


def raises(function, *args, **kwargs):
    """Call `function` and return which exception it raised, as a fact to fetch.

    A call that fails may leave nodes behind, so a case that uses this does not compare its graph.
    """
    try:
        function(*args, **kwargs)
    except Exception as error:
        return Raised(error)
    return Raised(None)


def first_part(error):
    """The message of an exception without the lines about where the operation was made."""
    return re.split(r"\n\n(?:Original stack|Errors may have)", str(error))[0]


def says(pattern, function, *args, **kwargs):
    """`raises` with `pattern`, a regular expression that the message of the original and ours both match, or neither.

    The function may run a session of its own, so that errors of runs are compared too.
    """
    try:
        function(*args, **kwargs)
    except Exception as error:
        return Raised(error, pattern)
    return Raised(None, pattern)


def outcomes(tf, calls):
    """What becomes of each of the `calls`, functions of `tf` that return fetches, built and run in a graph of its own.

    For a call that is refused: when ("build" or "run"), the class of the error, and the message's first line, without
    the name of the node. For one that is not: the value, "done" in place of several.
    """
    return [_outcome(tf, call) for call in calls]


def _outcome(tf, call):
    stage = "build"
    with tf.Graph().as_default():
        try:
            fetches = call(tf)
            stage = "run"
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                found = session.run(fetches)
        except (tf.errors.OpError, ValueError, TypeError) as error:
            return [stage, type(error).__name__, str(error).split("\n")[0].split(" for '")[0]]
    return np.asarray(found).tolist() if not isinstance(found, (list, tuple)) else "done"
