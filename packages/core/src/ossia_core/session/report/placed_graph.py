"""What a run computes as graphs, one for each device: feeds and fetches as nodes, constants folded."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ossia_core.declare.language import CONST
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.session.compile.plan import Plan
from ossia_core.session.report import placement


class PlacedNode:
    """A node of a run's graph.

    Attributes:
      name, type: as in a GraphDef.
      device: the name of its device.
      inputs: the nodes that it takes values from, each with the number of the output.
      controls: the nodes that it follows.
      op: the node of the program's graph that it stands for; None of those that feed, fetch and send.
      tensor: what a node that feeds, fetches, sends or receives carries.
      index: the number of a feed or fetch.
      values: of a constant, a NumPy array per output.
      rendezvous: of a node that sends or receives, attributes that name the other end.
    """

    values: Sequence[Any] | None = None
    is_feed = is_received = False
    rendezvous: dict[str, Any] | None = None

    def __init__(self, name: str, type: str, device: str, op: Operation | None = None, tensor: Tensor | None = None,
                 index: int = 0) -> None:
        self.name, self.type, self.device, self.op, self.tensor, self.index = name, type, device, op, tensor, index
        self.inputs: list[tuple[PlacedNode, int]] = []
        self.controls: list[PlacedNode] = []

    @property
    def forwards(self) -> bool:
        """Whether it hands its first input on."""
        return self.op is not None and self.values is None and self.op.definition.forwards_input

    def input_names(self) -> list[str]:
        """The inputs as a NodeDef names them, those that it only follows last."""
        names = [node.name if index == 0 else f"{node.name}:{index}" for node, index in self.inputs]
        return [*names, *sorted(f"^{node.name}" for node in self.controls)]

    def node_def(self) -> Any:
        """The NodeDef."""
        from ossia_core.graph.export import node_def
        from ossia_core.names import tensor_proto
        from ossia_core.proto import NodeDef
        made = NodeDef(name=self.name, op=self.type, device=self.device, input=self.input_names())
        if self.values is not None and self.op is not None and self.op.definition.role is not CONST:
            dtype = self.op.outputs[0].dtype.base_dtype
            made.attr["dtype"].type = dtype.as_datatype_enum
            made.attr["value"].tensor.CopyFrom(tensor_proto.encode(self.values[0], dtype))
        elif self.op is not None:
            for key, value in node_def(self.op).attr.items():
                made.attr[key].CopyFrom(value)
        elif self.tensor is not None:
            key = "tensor_type" if self.is_received else "T"
            made.attr[key].type = self.tensor.dtype.base_dtype.as_datatype_enum
            if self.rendezvous is None:
                made.attr["index"].i = self.index
            for key, value in (self.rendezvous or {}).items():
                setattr(made.attr[key], {str: "s", bool: "b", int: "i"}[type(value)],
                        value.encode() if isinstance(value, str) else value)
        return made


def placed_graphs(plan: Plan, places: placement.Devices, folds: bool = True) -> list[list[PlacedNode]]:
    """The nodes that a run of `plan` computes, in running order, one list for each device.

    Args:
      plan: the plan.
      places: the devices.
      folds: whether nodes whose values are known before the run stand as constants.
    """
    devices = placement.devices_of(plan.ops, places._replace(soft=True))
    made = _Making(plan, devices, f"{places.task}/device:CPU:0", folds)
    nodes = _needed(made.nodes(), made.targets)
    found: dict[str, list[PlacedNode]] = {}
    for node in nodes:
        found.setdefault(node.device, []).append(node)
    if len(found) > 1:
        _connect(nodes, found)
    return [found[device] for device in sorted(found)]


class _Making:
    """Makes the nodes of a plan, before what is not needed is left out."""

    def __init__(self, plan: Plan, devices: dict[Operation, str], default: str, folds: bool) -> None:
        self._plan, self._devices, self._default, self._folds = plan, devices, default, folds
        self._of_tensor: dict[Tensor, tuple[PlacedNode, int]] = {}
        self._of_op: dict[Operation, PlacedNode] = {}
        self._same: dict[Any, PlacedNode] = {}
        self.targets: list[PlacedNode] = []

    def nodes(self) -> list[PlacedNode]:
        """Feeds, nodes and fetches."""
        made = list(self._feeds())
        late: list[tuple[PlacedNode, Operation]] = []
        for op in self._plan.ops:
            node = self._node(op)
            if node.op is op:
                made.append(node)
                late.append((node, op))
        for node, op in late:
            if node.values is None or op.definition.role is CONST:
                node.inputs = [self._of_tensor[tensor] for tensor in op._inputs]
                node.controls = [self._of_op[control] for control in op._control_inputs if control in self._of_op]
        made += self._fetches()
        self.targets += [self._of_op[op] for op in self._plan.targets if op in self._of_op]
        return made

    def _feeds(self) -> Iterator[PlacedNode]:
        for i, (name, tensor) in enumerate(_by_name(self._plan.fed)):
            node = PlacedNode(f"_arg_{name}_{i}", "_Arg", self._default, tensor=tensor, index=i)
            node.is_feed = True
            self._of_tensor[tensor] = node, 0
            yield node

    def _fetches(self) -> Iterator[PlacedNode]:
        for i, (name, tensor) in enumerate(_by_name(self._plan.fetched)):
            node = PlacedNode(f"_retval_{name}_{i}", "_Retval", self._default, tensor=tensor, index=i)
            node.inputs = [self._of_tensor[tensor]]
            self.targets.append(node)
            yield node

    def _node(self, op: Operation) -> PlacedNode:
        values = self._known(op)
        key = self._what(op)
        node = self._same.get(key) if key is not None else None
        if node is None:
            kind = op.type if values is None else "Const"
            node = PlacedNode(op.name, kind, self._devices.get(op) or self._default, op)
            node.values = values
            if key is not None:
                self._same[key] = node
        self._of_op[op] = node
        for tensor in op.outputs:
            self._of_tensor.setdefault(tensor, (node, tensor.value_index))  # a feed has its own
        return node

    def _known(self, op: Operation) -> Sequence[Any] | None:
        """The values of a node that are known before the run; of one with several outputs, none."""
        definition = op.definition
        if definition.role is CONST:
            value = op.attrs["value"]
            return [value] if hasattr(value, "shape") else None
        known = definition.foldable or definition.shape_only or definition.forwards_input
        if not self._folds or op._control_inputs or not known:
            return None
        if len(op.outputs) != 1 or op.outputs[0].dtype._is_ref_dtype or op.outputs[0] in self._plan.feeds:
            return None
        return self._plan.known_value(op.outputs[0])

    def _what(self, op: Operation) -> Any:
        """What other nodes that compute the same have too; None if there are none."""
        definition = op.definition
        if not self._folds or op._control_inputs or definition.forwards_input or not definition.foldable:
            return None
        if not op.outputs:
            return None
        slots = self._plan.slots_of(op)
        return None if slots is None else (op.type, self._devices.get(op), *slots)


def _by_name(pairs: Iterable[tuple[str, Tensor]]) -> list[tuple[str, Tensor]]:
    """Tensors sorted by their names, which become parts of the names of nodes."""
    return [(name.replace(":", "_"), tensor) for name, tensor in sorted(pairs, key=lambda pair: pair[0])]


def _needed(nodes: list[PlacedNode], targets: Iterable[PlacedNode]) -> list[PlacedNode]:
    """The nodes that the targets need, and all feeds."""
    seen = {node for node in nodes if node.is_feed}
    pending = list(targets)
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += [source for source, _ in node.inputs]
            pending += node.controls
    return [node for node in nodes if node in seen]


def _connect(nodes: list[PlacedNode], found: dict[str, list[PlacedNode]]) -> None:
    """Let values that go to another device be sent and received by nodes."""
    received: dict[Any, PlacedNode] = {}
    count = 0
    for node in nodes:
        for place, (source, index) in enumerate(node.inputs):
            if source.device == node.device:
                continue
            arrival = received.get((source, index, node.device))
            if arrival is None:
                tensor = source.op.outputs[index] if source.op is not None else source.tensor
                ends = {
                    "tensor_name": f"edge_{count}_{source.name}", "send_device": source.device,
                    "send_device_incarnation": 1, "recv_device": node.device, "client_terminated": False,
                }
                send = PlacedNode(f"{source.name}/_{count}", "_Send", source.device, tensor=tensor)
                arrival = PlacedNode(f"{source.name}/_{count + 1}", "_Recv", node.device, tensor=tensor)
                arrival.is_received = True
                send.inputs, send.rendezvous, arrival.rendezvous = [(source, index)], ends, ends
                found[source.device].append(send)
                own = found[node.device]
                own.insert(own.index(node), arrival)
                received[source, index, node.device] = arrival
                count += 2
            node.inputs[place] = arrival, 0
        node.controls = [control for control in node.controls if control.device == node.device]
