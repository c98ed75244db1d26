"""`resources`: the tables and other resources that a program has to initialize, by collection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import ossia as tf


class Resource(NamedTuple):
    """A resource: its handle, the operation that makes it, and whether it is there."""

    handle: Any
    create: Any
    is_initialized: Any


def register_resource(handle: Any, create_op: Any, is_initialized_op: Any, is_shared: bool = True) -> None:
    """Notes a resource of the default graph, of all workers or (`is_shared=False`) of this one."""
    key = tf.GraphKeys.RESOURCES if is_shared else tf.GraphKeys.LOCAL_RESOURCES
    tf.add_to_collection(key, Resource(handle, create_op, is_initialized_op))


def shared_resources() -> list[Resource]:
    """The resources of all workers."""
    return tf.get_collection(tf.GraphKeys.RESOURCES)


def local_resources() -> list[Resource]:
    """The resources of this worker."""
    return tf.get_collection(tf.GraphKeys.LOCAL_RESOURCES)


def report_uninitialized_resources(
    resource_list: Iterable[Resource] | None = None, name: str = "report_uninitialized_resources"
) -> Any:
    """The names of the resources that are not there, as a vector of strings; by default of all registered ones."""
    listed: Sequence[Resource] = (
        [*shared_resources(), *local_resources()] if resource_list is None else list(resource_list)
    )
    with tf.name_scope(name):
        with tf.device("/cpu:0"):
            if not listed:
                return tf.constant([], dtype=tf.string)
            missing = tf.logical_not(tf.stack([resource.is_initialized for resource in listed]))
            names = tf.convert_to_tensor([resource.handle.name for resource in listed])
            return tf.boolean_mask(names, missing)


def initialize_resources(resource_list: Sequence[Resource], name: str = "init") -> Any:
    """An operation that makes the resources."""
    if resource_list:
        return tf.group(*[resource.create for resource in resource_list], name=name)
    return tf.no_op(name=name)
