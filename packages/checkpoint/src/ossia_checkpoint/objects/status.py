"""What `restore` returns: runs what restores, and tells what of checkpoint and program did not match."""

from __future__ import annotations

import abc
from typing import Any

from ossia_checkpoint.objects.graph import attributes, dependencies, is_container, object_graph, variables_and_slots
from ossia_checkpoint.objects.restoration import Restoration
from ossia_checkpoint.objects.saver import session_or_default
from ossia_checkpoint.saveables import saveables_of_one
from ossia_core.variables.variable import Variable


class LoadStatus(abc.ABC):
    """The state of a restoration. The assertions return the status itself."""

    @abc.abstractmethod
    def assert_consumed(self) -> LoadStatus:
        """Raises AssertionError unless all of the checkpoint and all objects match."""

    @abc.abstractmethod
    def assert_existing_objects_matched(self) -> LoadStatus:
        """Raises AssertionError unless all objects of the program have a match."""

    def assert_nontrivial_match(self) -> LoadStatus:
        """Raises AssertionError if nothing but the root has a match."""
        return self.assert_consumed()

    def expect_partial(self) -> LoadStatus:
        """Says that parts of the checkpoint are left alone on purpose."""
        return self

    @abc.abstractmethod
    def run_restore_ops(self, session: Any = None) -> None:
        """Sets the values in a session, by default the default session."""

    @abc.abstractmethod
    def initialize_or_restore(self, session: Any = None) -> None:
        """Sets the values in a session, and initializes the variables that the checkpoint does not have."""


class CheckpointLoadStatus(LoadStatus):
    """The state of an object-based checkpoint's restoration. Each call sees objects that were made meanwhile."""

    def __init__(self, restoration: Restoration) -> None:
        """Makes the nodes for the objects that exist."""
        self._restoration = restoration
        self.prepare()

    def prepare(self) -> None:
        """Makes the nodes for objects that are new."""
        self._restoration.operations()

    def assert_consumed(self) -> LoadStatus:
        """Raises AssertionError unless all of the checkpoint and all objects match."""
        graph, objects = self._restoration.graph, self._restoration.bound().objects
        for at, node in enumerate(graph.nodes):
            if at not in objects:
                raise AssertionError(f"Unresolved object in checkpoint {self._name(at)}: {node}")
        for at, node in enumerate(graph.nodes):
            known = attributes(objects[at])
            unused = [attribute.name for attribute in node.attributes if attribute.name not in known]
            if unused:
                raise AssertionError(
                    "Unused attributes in these objects (the attributes exist in the checkpoint but not in the "
                    f"objects): {objects[at]}: {unused}"
                )
        return self.assert_existing_objects_matched()

    def _name(self, wanted: int) -> str:
        """How the checkpoint leads to an object."""
        names = {0: "(root)"}
        for at in (order := [0]):
            for child in self._restoration.graph.nodes[at].children:
                if child.node_id not in names:
                    names[child.node_id] = f"{names[at]}.{child.local_name}"
                    order.append(child.node_id)
        for at, node in enumerate(self._restoration.graph.nodes):
            for slot in node.slot_variables:
                if slot.slot_variable_node_id == wanted:
                    variable = names.get(slot.original_variable_node_id)
                    return f"{names.get(at)}'s state '{slot.slot_name}' for {variable}"
        return names.get(wanted, "(unreachable)")

    def assert_existing_objects_matched(self) -> LoadStatus:
        """Raises AssertionError unless all objects of the program have a match."""
        matched = {id(value) for value in self._restoration.bound().objects.values()}
        unmatched = [
            node.value
            for node in object_graph(self._restoration.root)
            if id(node.value) not in matched and not (is_container(node.value) and not dependencies(node.value))
        ]
        if unmatched:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due to changes in the Python "
                f"program: {unmatched}"
            )
        self._restoration.operations()
        return self

    def assert_nontrivial_match(self) -> LoadStatus:
        """Raises AssertionError if nothing but the root has a match."""
        if len(self._restoration.bound().objects) <= 1 < len(self._restoration.graph.nodes):
            raise AssertionError(
                f"Nothing except the root object matched a checkpoint value. The root is {self._restoration.root}, "
                f"and the checkpoint has {len(self._restoration.graph.nodes) - 1} other objects."
            )
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Sets the values in a session, by default the default session."""
        session = session_or_default(session)
        with session.graph.as_default():
            operations, feeds = self._restoration.operations()
        session.run(operations, feeds)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Sets the values in a session, and initializes the variables that the checkpoint does not have."""
        session = session_or_default(session)
        matched = {id(value) for value in self._restoration.bound().objects.values()}
        self.run_restore_ops(session)
        initialize(
            session,
            [v for v in variables_and_slots(object_graph(self._restoration.root)) if id(v) not in matched],
        )


class InitializationOnlyStatus(LoadStatus):
    """What `restore(None)` returns, so that a program begins and goes on by the same lines."""

    def __init__(self, root: Any) -> None:
        """Notes the root."""
        self._root = root

    def assert_consumed(self) -> LoadStatus:
        """Raises AssertionError."""
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    def assert_existing_objects_matched(self) -> LoadStatus:
        """Raises AssertionError."""
        return self.assert_consumed()

    def run_restore_ops(self, session: Any = None) -> None:
        """Raises AssertionError."""
        raise AssertionError(
            "No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore)."
        )

    def initialize_or_restore(self, session: Any = None) -> None:
        """Initializes all variables."""
        initialize(session_or_default(session), variables_and_slots(object_graph(self._root)))


class NameBasedSaverStatus(LoadStatus):
    """The state of the restoration of a checkpoint that a `Saver` wrote; variables are found by their names."""

    def __init__(self, root: Any, reader: Any, path: str) -> None:
        """Notes what is to be restored."""
        self._root, self._reader, self._path = root, reader, path

    def _variables(self) -> tuple[dict[str, Any], list[Any]]:
        """The variables that the checkpoint has, by name, and the others."""
        held, others = {}, []
        for node in object_graph(self._root):
            if isinstance(node.value, Variable):
                if self._reader.has_tensor(node.value.op.name):
                    held[node.value.op.name] = node.value
                else:
                    others.append(node.value)
        return held, others

    def assert_consumed(self) -> LoadStatus:
        """Raises AssertionError unless the variables are those of the checkpoint; a counter of saves may be new."""
        self.assert_existing_objects_matched()
        unused = sorted(set(self._reader.get_variable_to_shape_map()) - set(self._variables()[0]))
        if unused:
            raise AssertionError(f"Some variables in the checkpoint belong to no object: {unused}")
        return self

    def assert_existing_objects_matched(self) -> LoadStatus:
        """Raises AssertionError unless the checkpoint has all variables, but for a counter of saves."""
        counter = getattr(self._root, "save_counter", None)
        for variable in self._variables()[1]:
            if variable is not counter:
                raise AssertionError(f"Object not restored: {variable}")
        return self

    def assert_nontrivial_match(self) -> LoadStatus:
        """Raises AssertionError if the checkpoint has none of the variables."""
        if not self._variables()[0]:
            raise AssertionError(f"The checkpoint {self._path} has none of the variables of {self._root}")
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Sets the values in a session; raises NotFoundError as `Saver.restore` where a variable is missing."""
        self._restore(session_or_default(session), partial=False)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Sets the values in a session, and initializes the variables that the checkpoint does not have."""
        self._restore(session_or_default(session), partial=True)

    def _restore(self, session: Any, partial: bool) -> None:
        from ossia_checkpoint.saver import Saver

        held, others = self._variables()
        counter = getattr(self._root, "save_counter", None)
        left = others if partial else [each for each in others if each is counter]
        wanted = list(held.values()) + [each for each in others if not any(each is other for other in left)]
        with session.graph.as_default():
            if wanted:
                Saver([s for each in wanted for s in saveables_of_one(each, each.op.name)]).restore(session, self._path)
        initialize(session, left)


def initialize(session: Any, variables: list[Any]) -> None:
    """Runs the initializers of those of the variables that belong to the session's graph."""
    session.run([each.initializer for each in variables if each.initializer.graph is session.graph])
