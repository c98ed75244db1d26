"""Names of the standard graph collections, and functions on the default graph's collections."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import public

# What a graph keeps of its variable scopes and of the variables that `get_variable` made.
VARIABLE_SCOPES, VARIABLE_STORE = ("__varscope",), ("__variable_store",)


@public("GraphKeys")
class GraphKeys:
    """Names under which the library keeps variables, losses, summaries and the like in a graph."""

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    SAVEABLE_OBJECTS = "saveable_objects"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    EVAL_STEP = "eval_step"
    TRAIN_OP = "train_op"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    VARIABLES = "variables"
    _SUMMARY_COLLECTION = "_SUMMARY_V2"
    _VARIABLE_COLLECTIONS = [GLOBAL_VARIABLES, LOCAL_VARIABLES, METRIC_VARIABLES, MODEL_VARIABLES, TRAINABLE_VARIABLES,
                             MOVING_AVERAGE_VARIABLES, CONCATENATED_VARIABLES, TRAINABLE_RESOURCE_VARIABLES]
    _STREAMING_MODEL_PORTS = "streaming_model_ports"


@public("add_to_collection")
def add_to_collection(name: str, value: Any) -> None:
    """Append `value` to the collection `name` of the default graph."""
    get_default_graph().add_to_collection(name, value)


@public("add_to_collections")
def add_to_collections(names: Any, value: Any) -> None:
    """Append `value` to each of the collections `names` of the default graph."""
    get_default_graph().add_to_collections(names, value)


@public("get_collection")
def get_collection(key: str, scope: str | None = None) -> list:
    """A copy of a collection of the default graph, only the items whose name matches `scope` if one is given."""
    return get_default_graph().get_collection(key, scope)


@public("get_collection_ref")
def get_collection_ref(key: str) -> list:
    """The collection itself, made if it does not exist; changing it changes the graph's."""
    return get_default_graph().get_collection_ref(key)


@public("get_all_collection_keys")
def get_all_collection_keys() -> list:
    """Names of all collections of the default graph that hold something."""
    return get_default_graph().get_all_collection_keys()
