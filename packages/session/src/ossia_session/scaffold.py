"""`tf.train.Scaffold`: the parts of a graph that a training session needs, made where a program does not give them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_checkpoint.saver import Saver
from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import device, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes, logging
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_core.primitives.source import no_op
from ossia_core.variables.listing import (
    global_variables,
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
    tables_initializer,
)


def initialize_resources(resources: list, name: str = "init") -> Any:
    """An operation that creates the resources in `resources`, such as those in a graph's collection of them."""
    return group(*[resource.create for resource in resources], name=name) if resources else no_op(name=name)


def report_uninitialized_resources(resources: list, name: str = "report_uninitialized_resources") -> Any:
    """A vector of the names of the resources that are not created yet when it is run."""
    with name_scope(name), device("/cpu:0"):
        if not resources:
            return constant([], dtype=dtypes.string)
        missing = builder("logical_not")(builder("stack")([resource.is_initialized for resource in resources]))
        return builder("boolean_mask")(constant([resource.handle.name for resource in resources]), missing)


def default_saver() -> Any:
    """The one saver in the collection of savers of the default graph; if there is none, a new one, which is added to
    it.

    Raises:
        RuntimeError: There are several.
    """
    savers = get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError(
            f"More than one item in collection {GraphKeys.SAVERS}. "
            "Please indicate which one to use by passing it to the constructor."
        )
    if savers:
        return savers[0]
    saver = Saver(sharded=True, allow_empty=True)
    get_default_graph().add_to_collection(GraphKeys.SAVERS, saver)
    return saver


@public("train.Scaffold")
class Scaffold:
    """The parts of a graph that a session is made and kept with. What is not given, `finalize` takes from the graph's
    collection of that name, or makes and puts there.

    Args:
        init_op: Initialises the variables of a model without a checkpoint.
        init_feed_dict: What to feed to it.
        init_fn: Called after it with the scaffold and the session.
        ready_op: A vector of names of what is not ready; the model is ready when it is empty.
        ready_for_local_init_op: The same, for running `local_init_op`.
        local_init_op: Initialises what checkpoints do not hold, in every new session.
        summary_op: The summaries, as one string.
        saver: The Saver.
        copy_from_scaffold: Another scaffold, whose parts are taken where none is given.
        local_init_feed_dict: What to feed to `local_init_op`.

    Raises:
        TypeError: `copy_from_scaffold` is no Scaffold.
    """

    def __init__(
        self,
        init_op: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable | None = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        local_init_op: Any = None,
        summary_op: Any = None,
        saver: Any = None,
        copy_from_scaffold: Scaffold | None = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        if copy_from_scaffold is not None and not isinstance(copy_from_scaffold, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")

        def given(value: Any, name: str) -> Any:
            return getattr(copy_from_scaffold, name) if value is None and copy_from_scaffold is not None else value

        if copy_from_scaffold is not None and (init_fn := given(init_fn, "_user_init_fn")) is None:
            self._init_fn = copy_from_scaffold.init_fn
        else:
            self._init_fn = (lambda sess: init_fn(self, sess)) if init_fn else None
        self._user_init_fn = init_fn
        self._init_op = given(init_op, "_init_op")
        self._init_feed_dict = given(init_feed_dict, "_init_feed_dict")
        self._ready_op = given(ready_op, "_ready_op")
        self._ready_for_local_init_op = given(ready_for_local_init_op, "_ready_for_local_init_op")
        self._local_init_op = given(local_init_op, "_local_init_op")
        self._local_init_feed_dict = given(local_init_feed_dict, "_local_init_feed_dict")
        self._summary_op = given(summary_op, "_summary_op")
        self._saver = given(saver, "_saver")

    def finalize(self) -> Scaffold:
        """Makes what is missing, and finalises the default graph.

        Returns:
            The scaffold itself.

        Raises:
            RuntimeError: A collection holds several parts of one kind.
        """
        part = Scaffold.get_or_default
        if self._init_op is None:
            self._init_op = part("init_op", GraphKeys.INIT_OP, _default_init_op)
        if self._ready_op is None:
            self._ready_op = part("ready_op", GraphKeys.READY_OP, _default_ready_op)
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = part(
                "ready_for_local_init_op", GraphKeys.READY_FOR_LOCAL_INIT_OP, _default_ready_for_local_init_op
            )
        if self._local_init_op is None:
            self._local_init_op = part("local_init_op", GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op)
        if self._summary_op is None:
            self._summary_op = part("summary_op", GraphKeys.SUMMARY_OP, builder("summary.merge_all"))
        if self._saver is None:
            self._saver = default_saver()
        self._saver.build()
        get_default_graph().finalize()
        logging.info("Graph was finalized.")
        return self

    @property
    def init_op(self) -> Any:
        """The operation that initialises the model."""
        return self._init_op

    @property
    def init_feed_dict(self) -> Any:
        """What is fed to `init_op`."""
        return self._init_feed_dict

    @property
    def local_init_feed_dict(self) -> Any:
        """What is fed to `local_init_op`."""
        return self._local_init_feed_dict

    @property
    def init_fn(self) -> Callable | None:
        """A function that takes the session, called after `init_op`."""
        return self._init_fn

    @property
    def ready_op(self) -> Any:
        """The names of what is not ready."""
        return self._ready_op

    @property
    def ready_for_local_init_op(self) -> Any:
        """The names of what `local_init_op` has to wait for."""
        return self._ready_for_local_init_op

    @property
    def local_init_op(self) -> Any:
        """The operation that every new session runs."""
        return self._local_init_op

    @property
    def summary_op(self) -> Any:
        """The summaries, as one string; None if there are none."""
        return self._summary_op

    @property
    def saver(self) -> Any:
        """The Saver."""
        return self._saver

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]) -> Any:
        """The one item of a collection of the default graph, or what a function makes, which is then put there.

        Args:
            arg_name: What it is called, for the error.
            collection_key: The collection.
            default_constructor: The function; it may return None for nothing.

        Raises:
            RuntimeError: The collection holds several items.
        """
        found = get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(
                f'More than one item in the collection "{collection_key}". Please indicate which one to use by '
                'passing it to '
                f"the tf.Scaffold constructor as:  tf.Scaffold({arg_name}=item to use)"
            )
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            get_default_graph().add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op() -> Any:
        """An operation that initialises the local variables, tables and local resources of the default graph."""
        return group(
            local_variables_initializer(),
            tables_initializer(),
            initialize_resources(get_collection(GraphKeys.LOCAL_RESOURCES)),
        )


def _default_init_op() -> Any:
    return group(global_variables_initializer(), initialize_resources(get_collection(GraphKeys.RESOURCES)))


def _default_ready_op() -> Any:
    resources = [*get_collection(GraphKeys.RESOURCES), *get_collection(GraphKeys.LOCAL_RESOURCES)]
    return builder("concat")([report_uninitialized_variables(), report_uninitialized_resources(resources)], 0)


def _default_ready_for_local_init_op() -> Any:
    shared = get_collection(GraphKeys.RESOURCES)
    return builder("concat")(
        [report_uninitialized_variables(global_variables()), report_uninitialized_resources(shared)], 0
    )
