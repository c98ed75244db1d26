"""`tf.data.Iterator`: what takes the elements of datasets, one in each run."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.session.compile.ordering import needed
from ossia_data import structure
from ossia_data.dataset import Dataset
from ossia_functions import library
from ossia_functions.func_graph import FuncGraph
from ossia_functions.function_def import function_def


@public("data.Iterator")
class Iterator(structure.Structured):
    """Takes the elements of a dataset, the next one in each run.

    Args:
        iterator_resource: The node that holds it.
        initializer: The operation that starts it; None if there is none.
        output_types: The dtypes of elements, in their structure.
        output_shapes: Their shapes.
        output_classes: The classes of their parts.
    """

    def __init__(
        self, iterator_resource: Tensor, initializer: Operation | None, output_types: Any, output_shapes: Any,
        output_classes: Any,
    ) -> None:
        self._iterator_resource, self._initializer = iterator_resource, initializer
        self._element_spec = structure.spec_from(output_types, output_shapes, output_classes)
        self._string_handle = lookup("IteratorToStringHandle")(iterator_resource)

    @staticmethod
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: str | None = None, output_classes: Any = None
    ) -> Iterator:
        """An iterator for any dataset of such elements, started by what `make_initializer` returns.

        Args:
            output_types: The dtypes of elements, in their structure.
            output_shapes: Their shapes; unknown ones if None.
            shared_name: A name under which iterators of a session are one.
            output_classes: The classes of their parts; tensors if None.
        """
        spec = structure.spec_from(output_types, output_shapes, output_classes)
        return Iterator._of(_resource(spec, shared_name), None, spec)

    @staticmethod
    def from_string_handle(
        string_handle: Any, output_types: Any, output_shapes: Any = None, output_classes: Any = None
    ) -> Iterator:
        """The iterator that a string stands for, which the `string_handle` of another one gave in a run.

        Args:
            string_handle: A string scalar.
            output_types: The dtypes of elements, in their structure.
            output_shapes: Their shapes; unknown ones if None.
            output_classes: The classes of their parts; tensors if None.
        """
        spec = structure.spec_from(output_types, output_shapes, output_classes)
        handle = convert_to_tensor(string_handle, dtypes.string)
        return Iterator._of(lookup("IteratorFromStringHandleV2")(handle, **structure.outputs(spec)), None, spec)

    @staticmethod
    def _of(resource: Tensor, initializer: Operation | None, spec: Any) -> Iterator:
        return Iterator(
            resource, initializer, structure.legacy_types(spec), structure.legacy_shapes(spec),
            structure.legacy_classes(spec),
        )

    @property
    def initializer(self) -> Operation:
        """The operation that starts the iterator.

        Raises:
            ValueError: It has none.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Dataset, name: str | None = None) -> Operation:
        """An operation that starts the iterator with a dataset.

        Raises:
            TypeError: Elements of the dataset are of other dtypes, shapes or classes.
        """
        with name_scope(name, "make_initializer") as scope:
            mine, other = structure.flatten(self._element_spec), structure.flatten(dataset.element_spec)
            if self.output_types != dataset.output_types or len(mine) != len(other):
                raise TypeError(
                    f"Expected output types {self.output_types!r} but got dataset with output types "
                    f"{dataset.output_types!r}."
                )
            if not all(a.is_compatible_with(b) for a, b in zip(mine, other, strict=True)):
                raise TypeError(
                    f"Expected output shapes compatible with {self.output_shapes!r} but got dataset with output shapes "
                    f"{dataset.output_shapes!r}."
                )
            with colocate_with(self._iterator_resource):
                return lookup("MakeIterator")(dataset._variant_tensor, self._iterator_resource, name=scope)

    def get_next(self, name: str | None = None) -> Any:
        """The next element, in the structure of the dataset's; OutOfRangeError in a run in which there is none."""
        found = lookup("IteratorGetNext")(self._iterator_resource, name=name, **structure.outputs(self._element_spec))
        return structure.from_tensor_list(self._element_spec, found)

    def string_handle(self, name: str | None = None) -> Tensor:
        """A string scalar that stands for the iterator in the session."""
        if name is None:
            return self._string_handle
        return lookup("IteratorToStringHandle")(self._iterator_resource, name=name)



def _resource(spec: Any, shared_name: str | None) -> Tensor:
    return lookup("IteratorV2")(container="", shared_name=shared_name or "", **structure.outputs(spec))


def initializable(dataset: Dataset, shared_name: str | None) -> Iterator:
    """See `Dataset.make_initializable_iterator`."""
    variant = dataset._with_defaults()
    resource = _resource(dataset.element_spec, shared_name)
    with colocate_with(resource):
        initializer = lookup("MakeIterator")(variant, resource)
    return Iterator._of(resource, initializer, dataset.element_spec)


def one_shot(dataset: Dataset) -> Iterator:
    """See `Dataset.make_one_shot_iterator`."""
    outer = get_default_graph()
    graph = FuncGraph(library.unique_name("_make_dataset"), outer)
    with graph.as_default():
        inner = Dataset(_copied(dataset._variant_tensor, graph), dataset.element_spec, dataset.options())
        graph.outputs = [inner._with_defaults()]
    library.add(outer, library.Function(function_def(graph, graph.name), graph))
    resource = lookup("OneShotIterator")(
        dataset_factory=library.reference(graph.name), **structure.outputs(dataset.element_spec)
    )
    return Iterator._of(resource, None, dataset.element_spec)


def _copied(tensor: Tensor, graph: FuncGraph) -> Tensor:
    """The nodes that make a tensor, made again in the body of a function.

    Raises:
        ValueError: A value of theirs is not known before a run.
    """
    made: dict[Tensor, Tensor] = {}
    for op in needed([tensor.op], set()):
        stands = op.type.startswith("Placeholder")
        if stands or (op.definition.stateful and not op.type.endswith("Dataset") and "DatasetV" not in op.type):
            what = "a placeholder" if stands else "a stateful node"
            raise ValueError(
                "Failed to create a one-shot iterator for a dataset: it needs values that only a run has, such as "
                "those of placeholders, variables and tables. `Dataset.make_initializable_iterator()` can do that. "
                f"(Cannot capture {what} (name:{op.name}, type:{op.type}) by value.)"
            )
        copy = graph.add_node(
            op.definition, op.name, tuple(made[t] for t in op._inputs), dict(op.attrs), [t.dtype for t in op.outputs]
        )
        for ours, theirs in zip(copy.outputs, op.outputs, strict=True):
            ours.set_shape(theirs.shape)
            made[theirs] = ours
    return made[tensor]


@public("data.make_one_shot_iterator")
def make_one_shot_iterator(dataset: Dataset) -> Iterator:
    """See `Dataset.make_one_shot_iterator`."""
    return dataset.make_one_shot_iterator()


@public("data.make_initializable_iterator")
def make_initializable_iterator(dataset: Dataset, shared_name: str | None = None) -> Iterator:
    """See `Dataset.make_initializable_iterator`."""
    return dataset.make_initializable_iterator(shared_name)


@public("data.get_output_types")
def get_output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes of the elements of a dataset or iterator, in their structure."""
    return dataset_or_iterator.output_types


@public("data.get_output_shapes")
def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The static shapes of the elements of a dataset or iterator, in their structure."""
    return dataset_or_iterator.output_shapes


@public("data.get_output_classes")
def get_output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of the parts of the elements of a dataset or iterator, in their structure."""
    return dataset_or_iterator.output_classes


@public("data.experimental.get_structure", "compat.v2.data.experimental.get_structure")
def get_structure(dataset_or_iterator: Any) -> Any:
    """The specs of the elements of a dataset or iterator, in their structure."""
    return dataset_or_iterator.element_spec


@public("data.experimental.get_next_as_optional", "compat.v2.data.experimental.get_next_as_optional")
def get_next_as_optional(iterator: Iterator) -> Any:
    """The next element as an Optional, without a value at the end."""
    from ossia_functions.optional_values import OptionalSpec
    spec = iterator.element_spec
    found = lookup("IteratorGetNextAsOptional")(iterator._iterator_resource, **structure.outputs(spec))
    return OptionalSpec(spec)._from_components([found])
