"""`freeze_graph`: the graph of a checkpoint with its variables turned into constants."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_checkpoint.saved_model.loader import SavedModelLoader
from ossia_core.names import text_proto


def read(path: str, proto: Any, binary: bool, kind: str = "graph") -> Any:
    """The proto that a file holds; `kind` is what errors call it."""
    if not tf.gfile.Exists(path):
        raise OSError(f"Input {kind} file '{path}' does not exist!")
    with tf.gfile.GFile(path, "rb" if binary else "r") as file:
        content = file.read()
    return proto.FromString(content) if binary else text_proto.parse(content, proto)


def freeze_graph_with_def_protos(
    input_graph_def: Any, input_saver_def: Any, input_checkpoint: str, output_node_names: str, restore_op_name: Any,
    filename_tensor_name: Any, output_graph: str | None, clear_devices: bool, initializer_nodes: str,
    variable_names_whitelist: str = "", variable_names_blacklist: str = "", input_meta_graph_def: Any = None,
    input_saved_model_dir: Any = None, saved_model_tags: Any = None, checkpoint_version: Any = None,
) -> Any:
    """Restores a graph from a checkpoint and turns its variables into constants.

    Args:
        input_graph_def: The graph, unless there is a meta graph.
        input_saver_def: What says which nodes restore; None to restore each variable by its name.
        input_checkpoint: Prefix of the checkpoint.
        output_node_names: Names of the nodes to keep, separated by commas.
        restore_op_name: Ignored.
        filename_tensor_name: Ignored.
        output_graph: Path to write the GraphDef to, if any.
        clear_devices: Whether to leave devices out.
        initializer_nodes: Names of nodes to run first, separated by commas.
        variable_names_whitelist: Names of the variables to turn into constants; all if empty.
        variable_names_blacklist: Names of the variables to keep.
        input_meta_graph_def: A MetaGraphDef with graph and saver.
        input_saved_model_dir: Directory of a SavedModel, whose variables are loaded instead of a checkpoint's.
        saved_model_tags: Tags of its graph, separated by commas.
        checkpoint_version: Format of the checkpoint; found out by itself.

    Returns:
        The GraphDef.

    Raises:
        ValueError: An argument is missing, or a variable lies in the checkpoint in parts.
        RuntimeError: The SavedModel has no graph with these tags.
    """
    if not input_saved_model_dir and not tf.train.checkpoint_exists(input_checkpoint):
        raise ValueError(f"Input checkpoint '{input_checkpoint}' doesn't exist!")
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    graph_def = tf.GraphDef()
    graph_def.CopyFrom(input_meta_graph_def.graph_def if input_meta_graph_def else input_graph_def)
    if clear_devices:
        for node in graph_def.node:
            node.device = ""
    with tf.Graph().as_default(), tf.Session() as session:
        if input_saved_model_dir:
            tf.saved_model.loader.load(session, saved_model_tags.split(","), input_saved_model_dir)
        elif input_meta_graph_def:
            meta_graph = tf.MetaGraphDef()
            meta_graph.CopyFrom(input_meta_graph_def)
            meta_graph.graph_def.CopyFrom(graph_def)
            tf.train.import_meta_graph(meta_graph).restore(session, input_checkpoint)
        else:
            tf.import_graph_def(graph_def, name="")
            saver = tf.train.Saver(saver_def=input_saver_def) if input_saver_def else tf.train.Saver(
                var_list=_restorable(input_checkpoint))
            saver.restore(session, input_checkpoint)
        if initializer_nodes:
            session.run(initializer_nodes.replace(" ", "").split(","))
        frozen = tf.graph_util.convert_variables_to_constants(
            session, graph_def, output_node_names.replace(" ", "").split(","),
            variable_names_whitelist.replace(" ", "").split(",") if variable_names_whitelist else None,
            variable_names_blacklist.replace(" ", "").split(",") if variable_names_blacklist else None,
        )
    if output_graph:
        with tf.gfile.GFile(output_graph, "wb") as file:
            file.write(frozen.SerializeToString())
    return frozen


def _restorable(checkpoint: str) -> dict[str, Any]:
    """The variables of the default graph that a checkpoint has values for."""
    graph = tf.get_default_graph()
    found = {}
    for name in tf.train.NewCheckpointReader(checkpoint).get_variable_to_shape_map():
        try:
            tensor = graph.get_tensor_by_name(f"{name}:0")
        except KeyError:
            continue  # a variable of the training graph, or a slot of an optimizer
        if tensor.op.type in ("Concat", "ConcatV2", "Identity"):
            raise ValueError(
                "Models containing partition variables cannot be converted from checkpoint files. Please pass in a "
                "SavedModel using the flag --input_saved_model_dir."
            )
        found[name] = tensor
    return found


def freeze_graph(
    input_graph: str, input_saver: str, input_binary: bool, input_checkpoint: str, output_node_names: str,
    restore_op_name: Any, filename_tensor_name: Any, output_graph: str | None, clear_devices: bool,
    initializer_nodes: str, variable_names_whitelist: str = "", variable_names_blacklist: str = "",
    input_meta_graph: str | None = None, input_saved_model_dir: Any = None, saved_model_tags: Any = "serve",
    checkpoint_version: Any = None,
) -> Any:
    """Like `freeze_graph_with_def_protos`, with the graph, saver and meta graph in files, binary or text, or all in
    a SavedModel."""
    graph_def = saver_def = meta_graph = None
    if input_saved_model_dir:
        model = SavedModelLoader(input_saved_model_dir)
        graph_def = model.get_meta_graph_def_from_tags(saved_model_tags.split(",")).graph_def
    elif input_meta_graph:
        meta_graph = read(input_meta_graph, tf.MetaGraphDef(), input_binary, "meta graph")
    elif input_graph:
        graph_def = read(input_graph, tf.GraphDef(), input_binary)
    if input_saver:
        saver_def = read(input_saver, tf.train.SaverDef(), input_binary, "saver")
    return freeze_graph_with_def_protos(
        graph_def, saver_def, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name, output_graph,
        clear_devices, initializer_nodes, variable_names_whitelist, variable_names_blacklist, meta_graph,
        input_saved_model_dir, saved_model_tags, checkpoint_version,
    )
