"""What the nodes of an op do besides computing values from values, as its declaration says it.

A plan, a backend and a rewrite ask these facets, never the name of the type: an op that a third party declares is
treated as one of Ossia's own that says the same. Where an op works with something that outlives a run (a variable, a
queue, a table, its own stream of random numbers), the facets say which input leads there and what becomes of it; what
follows (whether a node may be folded, merged, dropped, moved) is derived here, once.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare import language
from ossia_core.names import dtypes


class Facets:
    """The facets of an op declaration: methods to declare them, attributes to ask.

    Attributes:
      role: what the op is in the language of graphs, if it is one of its primitives (`ossia_core.declare.language`).
      updated: the inputs that are variables which a node changes from the values that they have.
      assigned: the inputs that are variables which a node gives a value, whatever they had before.
      changed: the inputs that lead to something else that a node changes, or to a variable of which it changes a part.
      read: the inputs that lead to something that a node only looks at.
      drawn: the inputs that lead to the state of a generator of random numbers, which a node advances.
      made: whether a node makes what its output leads to.
      looking: whether a node's values come from elsewhere than from its inputs and attributes.
      only_reads: whether a node looks at what its inputs lead to and leaves it as it is.
      quiet: whether its kernel lets NumPy warn of nothing, by itself.
      foldable: whether a value that is computed once stands for all: nodes of constant inputs are folded, equal ones
        merged.
      has_effect: whether a function that is called runs a node whether or not its results depend on it.
      elementwise: whether a node computes each element from those in its place.
      forwards_input: whether the output of a node is its first input.
      forwards_when: where that depends on the other inputs, a function of their values (see `forwards`).
      shape_only: whether a node needs the shapes of its inputs, not their values.
      shape_of_variables: whether the static shape of a variable will do; else the variable must have a value.
      checking: whether a node is there to fail.
      unordered: whether a traced function leaves a node out of the order of its effects.
      locked, unlocked: the input that is the lock which a node takes; the input by which it gives one back.
      first_gradient_only: whether the gradient looks at that of the first output alone.
      static_value_fn, static_shape_fn: rules for values that are known while a graph is built.
      fetched_fn: what a caller of `Session.run` gets for a fetched value.
    """

    type: str
    stateful: bool
    inputs: Any
    input_names: tuple[str, ...]
    aliases: bool
    role: str | None
    foldable: bool

    updated: tuple[str, ...] = ()
    assigned: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()
    unlocked: tuple[str, ...] = ()
    made = looking = only_reads = has_effect = False
    elementwise = forwards_input = shape_only = checking = unordered = first_gradient_only = quiet = False
    shape_of_variables = True
    forwards_when: Callable[..., Any] | None = None
    static_value_fn: Callable[..., Any] | None = None
    static_shape_fn: Callable[..., Any] | None = None
    fetched_fn: Callable[..., Any] | None = None

    def _begin(self) -> None:
        """What an op is that has said nothing yet: stateful, it may do anything; else it computes values from
        values."""
        self.role = language.ROLES.get(self.type)
        self.foldable = not self.stateful and self.role in (
            None, language.CONST, language.PLACEHOLDER_WITH_DEFAULT, language.NO_OP
        )
        self.has_effect = self.stateful

    # -- what outlives a run ----------------------------------------------------------------------------

    def updates(self, *variables: str) -> None:
        """Declare that nodes change these variables from the values that they have, as the step of an optimizer does.

        Of nodes that no edge orders, they run behind all others: what a run reads of a variable beside its update is
        the value before the run.

        Args:
          *variables: names of inputs, variables by reference (`Ref(T)`) or by handle (`resource`).
        """
        self.updated = variables
        self._settle()

    def assigns(self, *variables: str) -> None:
        """Declare that nodes give these variables the value of their second input, whatever was there.

        Of nodes that no edge orders, those that assign a scalar run behind the others, as updates do. Larger values run
        in the order of creation: initial values build on each other.
        """
        self.assigned = variables
        self._settle()

    def changes(self, *handles: str) -> None:
        """Declare that nodes change what these inputs lead to, in the order of creation: a queue, a table, an array, a
        part of a variable."""
        self.changed = handles
        self._settle()

    def reads(self, *handles: str) -> None:
        """Declare that nodes look at what these inputs lead to, and leave it as it is; without inputs, at something
        outside of the graph, such as a file."""
        self.read, self.looking = handles, True
        self._settle()

    def draws(self, *handles: str) -> None:
        """Declare that nodes draw random numbers: each from its own stream, or from the state that these inputs lead
        to."""
        self.drawn, self.looking = handles, True
        self._settle()

    def makes(self) -> None:
        """Declare that nodes make what their output leads to: nobody misses it if nothing uses the output."""
        self.made = self.looking = True
        self._settle()

    def locks(self, mutex: str) -> None:
        """Declare that a node takes the lock of this input, until a node that takes its output gives it back."""
        self.locked = (mutex,)
        self._settle()

    def unlocks(self, lock: str) -> None:
        """Declare that a node gives back the lock that this input stands for."""
        self.unlocked = (lock,)
        self._settle()

    def _settle(self) -> None:
        """Draw the conclusions from what is declared."""
        acts = bool(self.updated or self.assigned or self.changed or self.drawn or self.locked or self.unlocked)
        if acts or self.looking:
            self.foldable = False
        self.only_reads = bool(self.read) and not acts
        self.has_effect = self.stateful and (acts or self.checking or not self.looking)

    # -- values -----------------------------------------------------------------------------------------

    def not_folded(self) -> None:
        """Declare that no node is computed before a run, or once for several: its values are no arrays, or computing
        them is for runs."""
        self.foldable = False

    def checks(self) -> None:
        """Declare that nodes are there to fail where something is wrong: none is dropped because nothing uses its
        values."""
        self.checking = True
        self._settle()

    @property
    def droppable(self) -> bool:
        """Whether a node whose values nothing uses need not run, even if others wait for it."""
        return (self.foldable and not self.checking) or self.role is language.PLACEHOLDER

    @property
    def repeatable(self) -> bool:
        """Whether nobody notices if a node runs once more than it should."""
        return self.foldable or self.only_reads or self.role is not None or not self.has_effect and not self.looking

    def forwards(self, when: Callable[..., Any] | None = None) -> None:
        """Declare that the output of a node is its first input, which a plan then hands on without a step.

        Args:
          when: where this depends on the other inputs, a function of their values (None for unknown ones) that says
            whether it is so, given that the output has the shape of the first input.
        """
        self.forwards_input, self.forwards_when = when is None, when

    def needs_shape(self, of_variables: bool = True) -> None:
        """Declare that the values of a node follow from the shapes of its inputs.

        Args:
          of_variables: whether the static shape of a variable will do. Else the variable must have a value.
        """
        self.shape_only, self.shape_of_variables = True, of_variables

    @property
    def describes_shape(self) -> bool:
        """Whether nodes give numbers about shapes, whatever the dtypes of their inputs: not zeros of a shape."""
        found = self.__dict__.get("_describes_shape")
        if found is None:
            given = {arg.type_attr for arg in self.inputs}
            found = self.shape_only and not any(a.type_attr in given for a in self.outputs if a.type_attr)  # type: ignore[attr-defined]
            self.__dict__["_describes_shape"] = found
        return found

    @property
    def gives_buffer(self) -> bool:
        """Whether the output of a node is the very buffer of a variable that it reads."""
        return self.only_reads and self.aliases

    def by_element(self) -> None:
        """Declare that a node computes each element of its output from those in the same place; of ops whose shape rule
        is `broadcast` this is known."""
        self.elementwise = True

    def in_any_order(self) -> None:
        """Declare that a traced function need not keep the order of nodes among its other effects: automatic control
        dependencies leave them out, as the original's do."""
        self.unordered = True

    def static_value(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """Set what `tf.get_static_value` knows of an output: `fn(node, index, known)` returns an array or None.

        `known(tensor)` is what is known of another tensor; `known.computed(node, index)` the kernel's result for known
        inputs; `known.partial` whether None may stand for single elements. `by_kernel` is the usual rule.
        """
        self.static_value_fn = fn
        return fn

    def static_shape(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """Set what is known of the shape that an output holds: `fn(node, index, known)` returns a TensorShape or None.

        `known.shape(tensor)` is what is known of the shape that another tensor holds, `known.size(tensor)` one size.
        """
        self.static_shape_fn = fn
        return fn

    def fetched(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """Set what `Session.run` returns for a fetched output: `fn(tensor, value, session)`."""
        self.fetched_fn = fn
        return fn

    # -- the registry's checks --------------------------------------------------------------------------

    def _check_facets(self, inputs: tuple[Any, ...]) -> None:
        """Check what is declared against the signature.

        Raises:
          ValueError: a facet names no input, or the op takes a variable or a handle and does not say what it does with
            it.
        """
        said = {*self.updated, *self.assigned, *self.changed, *self.read, *self.drawn, *self.locked, *self.unlocked}
        unknown = said.difference(self.input_names)
        if unknown:
            raise ValueError(f"op {self.type} has no input {min(unknown)!r}, of which its declaration speaks")
        if self.role is not None:
            return
        passed = inputs[0].name if self.forwards_input else None
        for arg in inputs:
            if (arg.is_ref or arg.type is dtypes.resource) and arg.name not in said and arg.name != passed:
                kind = "a variable" if arg.is_ref else "a handle"
                raise ValueError(
                    f"op {self.type} takes {kind} as {arg.name!r} and does not say what it does with it: declare "
                    "`updates`, `assigns`, `changes`, `reads`, `draws`, `locks`, `unlocks` or `forwards`"
                )


def by_kernel(node: Any, index: int, known: Any) -> Any:
    """The rule (`static_value`) of ops whose values are what the kernel makes of known inputs."""
    return known.computed(node, index)
