"""`python graphs.py [--seconds S | --count N] [--seed N]`: changed GraphDefs, imported and run in child processes.

A graph is a program, but one that somebody else wrote: importing it, and running its ordinary ops, gives values or a
documented error, within a limit of memory and time. Nodes, inputs, attributes, shapes and constants are changed at
random; each case depends on the seed and its number alone.
"""

import argparse
import functools
import json
import logging
import random
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import children
import numpy as np
from mutation import NUMBERS
from targets import IMPORT_ERRORS

import ossia as tf

BATCH = 40
RUN_MILLISECONDS = 2000
FETCHES = 12  # of the nodes of a graph
TYPES = list(range(24)) + [101, 103, 110]


def dense() -> None:
    x = tf.constant(np.ones((5, 4), np.float32))
    w = tf.get_variable("w", [4, 3], initializer=tf.ones_initializer())
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.ones([5, 3]), logits=tf.matmul(x, w)))
    tf.train.AdamOptimizer().minimize(loss)


def images() -> None:
    x = tf.constant(np.ones((1, 8, 8, 2), np.float32))
    y = tf.nn.conv2d(x, tf.ones([3, 3, 2, 4]), [1, 1, 1, 1], "SAME")
    y = tf.nn.max_pool(tf.nn.bias_add(y, tf.zeros([4])), [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    tf.nn.fused_batch_norm(y, tf.ones([4]), tf.zeros([4]))


def flows() -> None:
    i, total = tf.while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t * 2.0), [0, 1.0])
    tf.cond(total > 3.0, lambda: tf.add(total, 1.0), lambda: tf.constant(0.0))
    array = tf.TensorArray(tf.float32, 3).unstack(tf.ones([3, 2]))
    array.write(i % 3, [1.0, 1.0]).stack()
    tf.map_fn(lambda row: row * 2, tf.ones([3, 2]))


def rows() -> None:
    table = tf.constant(np.arange(12, dtype=np.float32).reshape(6, 2))
    at = tf.constant([0, 3, 5])
    tf.gather(table, at)
    tf.gather_nd(table, [[0, 1], [5, 0]])
    tf.unsorted_segment_sum(tf.ones([3, 2]), at, 6)
    tf.scatter_nd([[1], [3]], [1.0, 2.0], [5])
    tf.dynamic_stitch([[0, 2], [1]], [tf.ones([2, 2]), tf.zeros([1, 2])])
    tf.strided_slice(table, [0, 0], [6, 2], [2, 1])
    tf.sparse_tensor_dense_matmul(tf.SparseTensor([[0, 1], [2, 3]], [1.0, 2.0], [3, 6]), table)
    tf.nn.top_k(table, 2)
    tf.transpose(tf.tile(tf.pad(table, [[1, 1], [0, 0]]), [2, 1]), [1, 0])


def texts() -> None:
    words = tf.string_split(["some words", "and more"]).values
    tf.string_to_number(tf.as_string(tf.range(3)), tf.int32)
    tf.strings.substr(words, 0, 2)
    tf.string_join([words, words], "-")
    tf.decode_raw(tf.constant(["abcd"]), tf.int32)
    tf.parse_tensor(tf.io.serialize_tensor(tf.ones([2])), tf.float32)


def functions() -> None:
    @tf.function
    def twice(x: tf.Tensor) -> tf.Tensor:
        return x * 2.0

    twice(tf.ones([3]))
    queue = tf.FIFOQueue(3, tf.float32, shapes=[[]])
    with tf.control_dependencies([queue.enqueue_many([[1.0, 2.0]])]):
        queue.dequeue()


PROGRAMS: list[Callable[[], None]] = [dense, images, flows, rows, texts, functions]


@functools.cache
def serialized(program: Callable[[], None]) -> bytes:
    with tf.Graph().as_default() as graph:
        program()
        return graph.as_graph_def().SerializeToString()


def drop(graph_def: tf.GraphDef, chance: random.Random) -> None:
    del graph_def.node[chance.randrange(len(graph_def.node))]


def double(graph_def: tf.GraphDef, chance: random.Random) -> None:
    node = graph_def.node.add()
    node.CopyFrom(chance.choice(graph_def.node))
    node.name += chance.choice(("", "_more"))


def rename(graph_def: tf.GraphDef, chance: random.Random) -> None:
    node = chance.choice(graph_def.node)
    other = chance.choice(graph_def.node)
    field = chance.choice(("op", "name", "device"))
    setattr(node, field, chance.choice((getattr(other, field), "", "Const", "NoOp", "/job:x/task:99999999", "Merge")))


def connect(graph_def: tf.GraphDef, chance: random.Random) -> None:
    node, other = chance.choice(graph_def.node), chance.choice(graph_def.node)
    name = chance.choice(("{0}", "{0}:0", "{0}:1", "^{0}", "{0}:2147483648", "{0}:-1", "{0}:output:0", ":", "")).format(
        other.name
    )
    if node.input and chance.random() < 0.7:
        node.input[chance.randrange(len(node.input))] = name
    elif node.input and chance.random() < 0.5:
        del node.input[chance.randrange(len(node.input))]
    else:
        node.input.append(name)


def attribute(graph_def: tf.GraphDef, chance: random.Random) -> None:
    node = chance.choice([node for node in graph_def.node if node.attr] or list(graph_def.node))
    other = chance.choice(graph_def.node)
    if not node.attr:
        return
    key = chance.choice(sorted(node.attr))
    way = chance.randrange(4)
    if way == 0:
        del node.attr[key]
    elif way == 1 and other.attr:
        value = tf.AttrValue()
        value.CopyFrom(other.attr[chance.choice(sorted(other.attr))])
        node.attr[key].CopyFrom(value)
    else:
        change(node.attr[key], chance)


def change(value: tf.AttrValue, chance: random.Random) -> None:
    """Puts other numbers, types, shapes or bytes into an attribute."""
    kind = value.WhichOneof("value")
    number = chance.choice([*NUMBERS[:14], -1, -2, 3, 2**20]) * chance.choice((1, 1, -1))
    if kind == "type":
        value.type = chance.choice(TYPES)
    elif kind == "i":
        value.i = max(-(2**63), number)
    elif kind == "f":
        value.f = chance.choice((float("nan"), float("inf"), -1.0, 0.0, 1e38))
    elif kind == "b":
        value.b = not value.b
    elif kind == "s":
        value.s = chance.choice((b"", b"\xff", b"SAME", b"NCHW", value.s * 2, b"x" * 1000))
    elif kind == "shape":
        change_shape(value.shape, number, chance)
    elif kind == "tensor":
        tensor = value.tensor
        way = chance.randrange(5)
        if way == 0:
            change_shape(tensor.tensor_shape, number, chance)
        elif way == 1:
            tensor.dtype = chance.choice(TYPES)
        elif way == 2:
            tensor.tensor_content = tensor.tensor_content[: chance.randrange(1 + len(tensor.tensor_content))]
        elif way == 3:
            for field in (tensor.int_val, tensor.int64_val, tensor.float_val):
                if field:
                    field[chance.randrange(len(field))] = max(-(2**31), min(2**31 - 1, number))
        else:
            content = bytearray(tensor.tensor_content)
            if content:
                at = chance.randrange(len(content))
                content[at : at + 4] = (number % 2**32).to_bytes(4, "little")
            tensor.tensor_content = bytes(content)
    elif kind == "list":
        for field in (value.list.i, value.list.type):
            if field:
                at = chance.randrange(len(field))
                field[at] = chance.choice(TYPES) if field is value.list.type else max(-(2**63), number)
                if chance.random() < 0.3:
                    field.append(field[at])
    else:
        value.i = number


def change_shape(shape: Any, number: int, chance: random.Random) -> None:
    if shape.dim and chance.random() < 0.7:
        shape.dim[chance.randrange(len(shape.dim))].size = max(-(2**63), number)
    elif shape.dim and chance.random() < 0.5:
        del shape.dim[0]
    else:
        shape.dim.add(size=chance.choice((0, 1, 2, -1, 2**31, 2**62)))


WAYS = (drop, double, rename, connect, connect, attribute, attribute, attribute)


def mutant(seed: int, number: int) -> tf.GraphDef:
    chance = random.Random(f"{seed} {number}")
    graph_def = tf.GraphDef.FromString(serialized(chance.choice(PROGRAMS)))
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        if graph_def.node:
            chance.choice(WAYS)(graph_def, chance)
    return graph_def


def check(graph_def: tf.GraphDef, number: int) -> None:
    """Imports the graph and runs some of its nodes; raises what may not be raised."""
    with tf.Graph().as_default() as graph:
        try:
            tf.import_graph_def(graph_def, name="")
        except IMPORT_ERRORS:
            return
        nodes = [op for op in graph.get_operations() if op.type != "Placeholder"]
        chance = random.Random(number)
        wanted = chance.sample(nodes, min(FETCHES, len(nodes)))
        with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=RUN_MILLISECONDS)) as session:
            for op in [op for op in nodes if op.type == "Assign"] + wanted:
                try:
                    session.run(op.outputs[0] if op.outputs and chance.random() < 0.8 else op)
                except (tf.errors.InternalError, tf.errors.UnknownError):
                    raise
                except (tf.errors.OpError, ValueError, TypeError):
                    continue


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    print("seed", options.seed)
    for program in PROGRAMS:
        serialized(program)
    stop = time.monotonic() + (options.seconds or 1e9)
    total = options.count or sys.maxsize
    at = failed = 0
    while at < total and failed < 5 and time.monotonic() < stop:
        batch = range(at, min(at + BATCH, total))
        found = children.failure_of(lambda number: check(mutant(options.seed, number), number), batch)
        at = batch.stop
        if found:
            failed += 1
            at = found[0] + 1
            print(f"case {found[0]} of seed {options.seed} failed: {found[1][-2500:]}")
    print(json.dumps({"target": "graphs", "cases": at, "failed": failed}))
    return min(1, failed)


if __name__ == "__main__":
    sys.exit(main())
