"""Session: runs parts of a graph and keeps the state of its variables."""
from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ossia_core.backend import installed_backends
from ossia_core.declare.builders import functional
from ossia_core.forks import renewed
from ossia_core.graph import collector, stack
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import errors
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_value
from ossia_core.primitives.state import SessionState
from ossia_core.session.compile import ordering
from ossia_core.session.compile.plan import Plan
from ossia_core.session.compile.rewrites import asked_for
from ossia_core.session.run.context import Connection, RunContext, cancelled_instead
from ossia_core.session.run.fetch import Feeder, FetchMap, expand_feeds, fed_values, key_of
from ossia_core.session.run.freed_memory import keep_freed_memory
from ossia_core.session.run.steps import quietly

if TYPE_CHECKING:
    pass


class _Prepared:
    """What a run of some fetches and feeds needs, found once."""

    __slots__ = ("fed", "feeders", "fetch_map", "graphs", "plan", "runs", "single")

    def __init__(self, fetch_map: FetchMap, plan: Plan, feeders: list[Feeder], single: bool) -> None:
        self.fetch_map, self.plan, self.feeders, self.single = fetch_map, plan, feeders, single
        self.runs = 0  # counted in sessions that tell the costs of some
        self.graphs: Any = None  # the nodes of the plan, by device, once they have been asked for
        place = {feeder.tensor: i for i, feeder in enumerate(feeders)}
        tensors = [element for element in fetch_map.elements if isinstance(element, Tensor)]
        # Of the values, those that are fed: their places, and those of their feeds.
        self.fed = [(i, place[tensor]) for i, tensor in enumerate(tensors) if tensor in place]
        if feeders and len(self.fed) == len(fetch_map.elements):
            for feeder in feeders:
                feeder.leave_elements()

    def result(self, results: list[Any], given: Sequence[Any]) -> Any:
        """The structure of the fetches; what is fed comes back as the array that it was made to."""
        for i, feed in self.fed:
            results[i] = self.feeders[feed].array(given[feed])
        return results[0] if self.single else self.fetch_map.result(results)


def _connection(target: bytes, config: Any) -> Any:
    """How a session with this target reaches its engine."""
    if not target:
        return Connection(SessionState())
    from ossia_core.session import targets
    return targets.connection(target, config)


class BaseSession:
    """What Session and InteractiveSession share."""

    def __init__(self, target: str | bytes = "", graph: Any = None, config: Any = None) -> None:
        if graph is None:
            graph = get_default_graph()
        elif not hasattr(graph, "as_graph_element"):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        if target is None:
            target = ""
        if not isinstance(target, (str, bytes)):
            raise TypeError(f"target must be a string, but got {type(target)}")
        if config is not None and not hasattr(config, "intra_op_parallelism_threads"):
            raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
        keep_freed_memory()
        self._graph = graph
        self._config = config
        self._target = target.encode() if isinstance(target, str) else target
        self._connection = _connection(self._target, config)
        self._state = self._connection.state
        if config is not None and not self._target:
            self._state.threads = max(0, config.intra_op_parallelism_threads)
        timeout_ms = int(config.operation_timeout_in_ms) if config is not None else 0
        self._timeout_ms = timeout_ms or self._connection.timeout_ms
        self._context = RunContext(self._state)  # of runs that end by themselves
        self._backends = installed_backends(config)
        self._rewrites = asked_for(config)
        self._plans: dict[Any, _Prepared] = {}
        self._modifications = graph.modifications
        self._seen = -1  # the changes of the graph that runs have taken note of
        self._placed = 0  # how many nodes are known to have places
        self._placing = False  # whether any node asks for a device
        graph_options = None if config is None else config.graph_options
        self._add_shapes = graph_options is not None and graph_options.infer_shapes
        self._places_needed_only = graph_options is not None and graph_options.place_pruned_graph
        self._counts_runs = graph_options is not None and graph_options.build_cost_model > 0
        self._lock = renewed(threading.RLock())
        self._closed = False
        self._partial: dict[str, Any] = {}
        self._logs_places = config is not None and config.log_device_placement
        if self._logs_places:
            print("Device mapping: no known devices.", flush=True)

    # -- properties ---------------------------------------------------------------------------------------

    @property
    def graph(self) -> Any:
        """The graph this session runs."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """GraphDef of the session's graph."""
        return self._graph.as_graph_def(add_shapes=self._add_shapes)

    @property
    def sess_str(self) -> bytes:
        """The target of the session."""
        return self._target

    @property
    def state(self) -> SessionState:
        """The store of variables and other resources."""
        return self._state

    def as_default(self) -> Any:
        """A context manager in which this is the thread's default session. It does not close the session."""
        return stack.sessions.push(self)

    def list_devices(self) -> list[Any]:
        """The devices of the session.

        Raises:
          CancelledError: the session is closed.
        """
        if self._closed:
            raise errors.CancelledError(None, None, "Session has been closed.")
        return self._connection.devices(self._config)

    def close(self) -> None:
        """Free the session's resources and cancel what still runs in it."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._plans.clear()
            self._partial.clear()
        self._state.close()
        self._connection.close()

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self._graph.version:
            raise RuntimeError("The Session graph is empty.  Add operations to the graph before calling run().")

    # -- running --------------------------------------------------------------------------------------------

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Run what `fetches` needs and return their values.

        Args:
          fetches: a tensor, operation, name of one, or nested lists, tuples, namedtuples and dicts of them.
          feed_dict: values for tensors, by tensor.
          options: RunOptions; its `timeout_in_ms` ends the run, its `trace_level` fills `run_metadata`.
          run_metadata: a RunMetadata to be filled.

        Returns:
          The values, in the structure of `fetches`; None for operations.

        Raises:
          RuntimeError: the session is closed or its graph empty.
          TypeError, ValueError: fetches or feeds that are not in the graph or do not fit.
          tf.errors.OpError: an operation failed.
        """
        if self._closed:
            self._check_open()
        if options is not None and options.debug_options.debug_tensor_watch_opts:
            return functional("watched_run")(self, fetches, feed_dict, options, run_metadata)
        # The time that a plan takes counts as time of the run.
        context = self._timed(options) if self._timeout_ms or options is not None else self._context
        if self._seen != self._graph.changes:
            self._follow_changes(fetches, feed_dict, context)
        key = fetches if type(fetches) is Tensor or type(fetches) is Operation else key_of(fetches)
        given: Any
        if not feed_dict:
            prepared = self._plans.get((key, ()))
            given = ()
        elif type(feed_dict) is dict:
            # Plans are kept by tensors: what else can be fed is not found.
            prepared = self._plans.get((key, tuple(feed_dict)))
            given = feed_dict.values()
        else:
            prepared = None
        if prepared is None:
            prepared, given = self._prepared(fetches, key, feed_dict, context)
        values = fed_values(prepared.feeders, given) if given else ()
        plan = prepared.plan
        if plan.blocking and context is self._context:
            context = RunContext(self._state)
        if options is not None or run_metadata is not None or self._counts_runs:
            return self._run_traced(prepared, list(given), values, options, run_metadata, context)
        results = plan.run(context, values)
        if self._state.closed.is_set():
            cancelled = errors.CancelledError(None, None, "The session was closed during this run.")
            raise cancelled_instead(cancelled, context)
        if prepared.fed:
            return prepared.result(results, list(given))
        return results[0] if prepared.single else prepared.fetch_map.result(results)

    def _timed(self, options: Any) -> RunContext:
        """The context of a run that begins now."""
        timeout = int(options.timeout_in_ms) if options is not None and options.timeout_in_ms else self._timeout_ms
        return RunContext(self._state, timeout)

    def _run_traced(
        self, prepared: _Prepared, given: Sequence[Any], values: Sequence[Any], options: Any, run_metadata: Any,
        context: RunContext,
    ) -> Any:
        plan = prepared.plan
        if options is not None and options.inter_op_thread_pool:
            self._check_pool(options.inter_op_thread_pool)
        costs = self._counts_runs and self._costs_wanted(prepared)
        if run_metadata is None:
            return prepared.result(quietly(plan.run, context, values), given)
        from ossia_core.session.report.tracing import Wanted, run_traced
        run_metadata.Clear()
        wanted = Wanted(costs=costs)
        if options is not None:
            level = options.trace_level or options.report_tensor_allocations_upon_oom
            wanted = Wanted(level, options.output_partition_graphs, costs)
        if any(wanted) and prepared.graphs is None:
            prepared.graphs = self._placed_graphs(plan)
        if plan.elsewhere is not None:
            return prepared.result(plan.elsewhere(context, values, prepared.graphs, wanted, run_metadata), given)
        return prepared.result(quietly(run_traced, plan, context, values, prepared.graphs, wanted, run_metadata), given)

    def _check_pool(self, pool: int) -> None:
        """Refuse a run in a pool of threads that the config does not have; -1 is the caller's thread."""
        pools = len(self._config.session_inter_op_thread_pool) if self._config is not None else 0
        if not -1 <= pool < max(pools, 1):
            raise errors.InvalidArgumentError(None, None, f"Invalid inter_op_thread_pool: {pool}")

    def _costs_wanted(self, prepared: _Prepared) -> bool:
        """Whether the config asks for the costs of the run that begins."""
        options, runs = self._config.graph_options, prepared.runs  # type: ignore[union-attr]
        prepared.runs += 1
        counted = runs - options.build_cost_model_after
        return counted >= 0 and (counted + 1) % options.build_cost_model == 0

    def _placed_graphs(self, plan: Plan) -> Any:
        from ossia_core.session.report.placed_graph import placed_graphs
        folds = True
        if self._config is not None:
            rewrites = self._config.graph_options.rewrite_options
            folds = not rewrites.disable_meta_optimizer and rewrites.constant_folding != rewrites.OFF
        return placed_graphs(plan.whole, self._connection.places(self._config, self._backends), folds)

    def _follow_changes(self, fetches: Any, feed_dict: Any, context: RunContext) -> None:
        """Take note of what has become of the graph since the last run, before a run of `fetches`."""
        changes = self._graph.changes
        if self._modifications != self._graph.modifications:
            self._plans.clear()
            self._modifications = self._graph.modifications
        # What is wrong with fetches and feeds comes before what is wrong with the graph.
        prepared, _ = self._prepared(fetches, key_of(fetches), feed_dict, context)
        if prepared.fetch_map.elements or feed_dict:
            self._place()
            self._seen = changes

    def _place(self) -> None:
        """Refuse a graph with nodes that cannot be placed, needed or not."""
        ops = self._graph._operations
        count = len(ops)
        if count == self._placed or self._places_needed_only:
            return
        if self._placing or any(op.device for op in ops[self._placed:]):
            self._placing = True
            self._check_places(ops[:count])
        self._placed = count

    def _check_places(self, ops: Sequence[Operation]) -> None:
        from ossia_core.session.report import placement
        placement.check(ops, self._connection.places(self._config, self._backends))

    def _prepared(self, fetches: Any, key: Any, feed_dict: Any, context: RunContext) -> tuple[_Prepared, list[Any]]:
        """What a run needs that has not been found by what it was given, and the values of its feeds."""
        pairs: Any = ()
        if feed_dict:
            if not hasattr(feed_dict, "items"):
                raise TypeError("input must be a dictionary")
            plain = all(type(tensor) is Tensor for tensor in feed_dict)
            pairs = feed_dict.items() if plain else expand_feeds(self._graph, feed_dict)
        feeds = tuple([tensor for tensor, _ in pairs])
        found = self._plans.get((key, feeds))
        if found is None:
            found = self._plans[key, feeds] = self._prepare(fetches, feeds, context)
        return found, [value for _, value in pairs]

    def _prepare(self, fetches: Any, feeds: tuple, context: RunContext) -> _Prepared:
        self._check_open()
        fetch_map = FetchMap(self._graph, fetches, self)
        for tensor in feeds:
            if tensor.graph is not self._graph:
                raise TypeError(
                    f"Cannot interpret feed_dict key as Tensor: Tensor {tensor} is not an element of this graph."
                )
        if self._places_needed_only or self._logs_places:
            targets = {f if isinstance(f, Operation) else f.op for f in fetch_map.elements if f not in feeds}
            needed = ordering.needed(targets, set(feeds))
            if self._places_needed_only:
                self._check_places(needed)
            if self._logs_places:
                from ossia_core.session.report import placement
                placement.print_places(needed, self._connection.places(self._config, self._backends))
        feeders = [Feeder(tensor) for tensor in feeds]

        def local_plan() -> Plan:
            return Plan(
                fetch_map.elements, feeds, self._state, self._backends, self._rewrites, self._config, context.check
            )

        try:
            with collector.paused():
                plan = self._connection.plan(fetch_map.elements, feeds, local_plan, self._config)
        except MemoryError as error:
            from ossia_core.session.run.failures import convert
            raise convert(error) from error
        return _Prepared(fetch_map, plan, feeders, type(fetches) is Tensor and not fetch_map.presents)

    def make_callable(
        self, fetches: Any, feed_list: Sequence[Any] | None = None, accept_options: bool = False
    ) -> Callable:
        """A function that runs `fetches`, taking the values of `feed_list` as arguments.

        Args:
          fetches: as for `run`.
          feed_list: tensors (or names) whose values are the arguments.
          accept_options: whether the function takes `options` and `run_metadata` as well.

        Raises:
          TypeError: `feed_list` is no list or tuple.
        """
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError("`feed_list` must be a list or tuple.")
        feeds = tuple(feed_list or ())
        if feeds and not all(type(key) is Tensor for key in feeds):
            # Names, composites and what cannot be fed go the way of `run`, in each call.
            def run_fed(*args: Any, **options: Any) -> Any:
                return self.run(fetches, dict(zip(feeds, args)), **options)
            return run_fed
        if self._closed:
            raise errors.CancelledError(None, None, "Session has been closed.")
        self._check_open()
        prepared = self._prepare(fetches, feeds, self._context)
        self._place()
        plan, feeders, result = prepared.plan, prepared.feeders, prepared.fetch_map.result
        single, run, context, count = prepared.single, plan.run, self._context, len(feeders)
        only = feeders[0] if count == 1 else None
        fed, empty = prepared.fed, feed_list is None and not prepared.fetch_map.elements

        if accept_options or fed or empty or self._counts_runs:
            def in_general(*args: Any, options: Any = None, run_metadata: Any = None) -> Any:
                _check_count(args, feeders)
                self._check_open()
                if empty:
                    raise errors.InvalidArgumentError(
                        None, None, "Must specify at least one target to fetch or execute."
                    )
                values = [f(a) for f, a in zip(feeders, args)]
                return self._run_traced(prepared, args, values, options, run_metadata, self._timed(options))
            return in_general

        def call(*args: Any) -> Any:
            if len(args) < count:
                _check_count(args, feeders)
            if self._closed:
                self._check_open()
            given: Any = (only(args[0]),) if only is not None else [f(a) for f, a in zip(feeders, args)]
            values = run(RunContext(self._state) if plan.blocking else context, given)
            return values[0] if single else result(values)
        return call

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., list[Any]]:
        """A function of arrays that runs what CallableOptions name, and returns the values of the fetches in a list."""
        if self._closed:
            raise errors.CancelledError(None, None, "Session has been closed.")
        from ossia_core.session.run.callables import callable_from_options
        return callable_from_options(self, callable_options)

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """Prepare a run in parts; the handle goes to `partial_run`."""
        from ossia_core.session.run.partial import PartialRun
        self._check_open()
        run = PartialRun(self, fetches, feeds or [])
        self._place()
        with self._lock:
            self._partial[run.handle] = run
        return run.handle

    def partial_run(self, handle: str, fetches: Any, feed_dict: Any = None) -> Any:
        """Run the next part: feed some more of the tensors announced, get some more of the fetches.

        The handle None stands for a run of its own. A handle is done with when all is fed and fetched.

        Raises:
          InvalidArgumentError: an unknown handle, or a fetch that still needs an unfed tensor.
        """
        if handle is None:
            return self.run(fetches, feed_dict)
        self._check_open()
        run = self._partial.get(handle)
        if run is None:
            raise errors.InvalidArgumentError(None, None, "Must run 'setup' before performing partial runs!")
        result = run.run(fetches, feed_dict or {})
        if run.finished:
            with self._lock:
                self._partial.pop(handle, None)
        return result


def _check_count(args: Sequence[Any], feeders: Sequence[Feeder]) -> None:
    if len(args) < len(feeders):
        tensor = feeders[len(args)].tensor
        raise no_value(tensor.op.name, tensor.dtype, tensor.shape).attach(tensor.op)


@public("Session")
class Session(BaseSession):
    """Runs operations of a graph and evaluates its tensors.

    Args:
      target: the engine to run in; "" is this process.
      graph: the graph; the default graph if None.
      config: a ConfigProto.

    As a context manager it is the default session (and its graph the default graph) inside, and closed at the end.
    """

    def __init__(self, target: str | bytes = "", graph: Any = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._contexts: list[tuple[Any, Any]] = []

    def __enter__(self) -> Session:
        if self._contexts:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter a "
                "session multiple times."
            )
        graph = self._graph.as_default()
        session = self.as_default()
        graph.__enter__()
        session.__enter__()
        self._contexts.append((graph, session))
        return self

    def __exit__(self, exc_type: Any, exc: Any, trace: Any) -> None:
        graph, session = self._contexts.pop()
        session.__exit__(exc_type, exc, trace)
        graph.__exit__(exc_type, exc, trace)
        self.close()

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Drop the variables of the containers named (all if none) of the engine at `target`."""
        if target is None:
            raise TypeError("target must not be None")
        found = _connection(target.encode() if isinstance(target, str) else target, config)
        found.reset(containers)
        found.close()


@public("InteractiveSession")
class InteractiveSession(BaseSession):
    """A session that makes itself the default session until it is closed."""

    def __init__(self, target: str | bytes = "", graph: Any = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._places_needed_only = True  # programs build and run by turns
        self._explicit_graph = graph
        self._default_session = self.as_default()
        self._default_session.__enter__()
        self._default_graph = None
        if graph is not None:
            self._default_graph = graph.as_default()
            self._default_graph.__enter__()

    def close(self) -> None:
        """Close the session; it is no longer the default one."""
        super().close()
        if self._default_graph is not None:
            self._default_graph.__exit__(None, None, None)
            self._default_graph = None
        if self._default_session is not None:
            self._default_session.__exit__(None, None, None)
            self._default_session = None
