"""`tf.contrib.predictor`: a model as a function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


class Predictor:
    """A graph with the values of its variables, called with arrays by name.

    Args:
      graph: the graph.
      session: a session with its variables.
      feed_tensors: tensors to feed, by name.
      fetch_tensors: tensors to fetch, by name.
    """

    def __init__(
        self, graph: tf.Graph, session: Any, feed_tensors: Mapping[str, Any], fetch_tensors: Mapping[str, Any]
    ) -> None:
        self._graph = graph
        self._session = session
        self._feed_tensors = dict(feed_tensors)
        self._fetch_tensors = dict(fetch_tensors)

    @property
    def graph(self) -> tf.Graph:
        """The graph."""
        return self._graph

    @property
    def session(self) -> Any:
        """The session."""
        return self._session

    @property
    def feed_tensors(self) -> dict[str, Any]:
        """Tensors to feed, by name."""
        return self._feed_tensors

    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """Tensors to fetch, by name."""
        return self._fetch_tensors

    def __repr__(self) -> str:
        return f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors {self._fetch_tensors}"

    def __call__(self, input_dict: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs for some inputs.

        Args:
          input_dict: arrays by name.

        Raises:
          ValueError: there is no input of a name.
        """
        unexpected = set(input_dict) - set(self._feed_tensors)
        if unexpected:
            raise ValueError(
                f"Got unexpected keys in input_dict: {unexpected}\nexpected: {set(self._feed_tensors)}"
            )
        fed = {self._feed_tensors[name]: value for name, value in input_dict.items() if value is not None}
        return self._session.run(fetches=self._fetch_tensors, feed_dict=fed)


@public("contrib.predictor.from_saved_model")
def from_saved_model(
    export_dir: Any, signature_def_key: str | None = None, signature_def: Any = None,
    input_names: Mapping[str, str] | None = None, output_names: Mapping[str, str] | None = None,
    tags: str | None = None, graph: tf.Graph | None = None, config: Any = None,
) -> Predictor:
    """The model of a SavedModel.

    Args:
      export_dir: its folder.
      signature_def_key: the name of a signature, by default the default one.
      signature_def: a `SignatureDef` in its place.
      input_names: names of tensors to feed, by the names of inputs, in the place of a signature.
      output_names: names of tensors to fetch, likewise.
      tags: tags of the graph, with commas between them; `serve` by default.
      graph: the graph to load it into, a new one by default.
      config: the `ConfigProto` of the session.

    Raises:
      ValueError: there is no such signature, or several ways to name tensors are used.
      RuntimeError: there is no graph of these tags.
    """
    given = [signature_def_key is not None, signature_def is not None, input_names is not None]
    if sum(given) > 1:
        raise ValueError("You must specify at most one of signature_def_key OR signature_def OR (input_names AND "
                         "output_names).")
    if (input_names is None) != (output_names is None):
        raise ValueError("input_names and output_names must both be specified or both be unspecified.")
    graph = graph or tf.Graph()
    with graph.as_default():
        session = tf.Session(graph=graph, config=config)
        meta_graph = tf.saved_model.loader.load(session, (tags or "serve").split(","), tf.compat.as_str(export_dir))
    if input_names is None or output_names is None:
        if signature_def is None:
            key = signature_def_key or tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
            if key not in meta_graph.signature_def:
                names = "\n".join(sorted(meta_graph.signature_def))
                raise ValueError(
                    f"Got signature_def_key {key!r}. Available signatures are:\n{names}\n"
                )
            signature_def = meta_graph.signature_def[key]
        input_names = {name: info.name for name, info in signature_def.inputs.items()}
        output_names = {name: info.name for name, info in signature_def.outputs.items()}
    feeds = {name: graph.get_tensor_by_name(each) for name, each in input_names.items()}
    fetches = {name: graph.get_tensor_by_name(each) for name, each in output_names.items()}
    return Predictor(graph, session, feeds, fetches)


@public("contrib.predictor.from_estimator")
def from_estimator(
    estimator: Any, serving_input_receiver_fn: Callable, output_key: str | None = None, graph: tf.Graph | None = None,
    config: Any = None,
) -> Predictor:
    """The model of a `tf.estimator.Estimator`.

    Args:
      estimator: the estimator.
      serving_input_receiver_fn: makes its inputs.
      output_key: the name of an export output, by default the default one.
      graph: the graph to build it in, a new one by default.
      config: the `ConfigProto` of the session.

    Raises:
      TypeError: the estimator is of another class.
      KeyError: there is no such output.
    """
    if not isinstance(estimator, tf.estimator.Estimator):
        raise TypeError(f"Expected estimator to be of type tf.estimator.Estimator, but got type {type(estimator)}.")
    graph = graph or tf.Graph()
    with graph.as_default():
        receiver = serving_input_receiver_fn()
        tf.train.get_or_create_global_step(graph)
        spec = estimator.model_fn(receiver.features, None, tf.estimator.ModeKeys.PREDICT, estimator.config)
        session = tf.train.MonitoredSession(
            tf.train.ChiefSessionCreator(
                config=config or estimator.config.session_config, scaffold=spec.scaffold,
                checkpoint_filename_with_path=estimator.latest_checkpoint(),
            )
        )
    outputs = spec.export_outputs or {}
    key = output_key or tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if key not in outputs:
        raise KeyError(f"output_key must be one of {list(outputs)}; got {key!r}")
    feeds = receiver.receiver_tensors
    signature = outputs[key].as_signature_def(feeds)
    fetches = {name: graph.get_tensor_by_name(info.name) for name, info in signature.outputs.items()}
    return Predictor(graph, session, feeds, fetches)
