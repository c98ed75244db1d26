"""Columns of third parties, layers and objects over columns, configurations."""

import json

from golden_case import Case, raises


def names(tf):
    """The private names that the original has in `feature_column` and `feature_column_v2`."""
    if hasattr(tf, "__file__") and "tensorflow" in tf.__file__:
        from tensorflow.python.feature_column import feature_column, feature_column_lib, feature_column_v2

        everything = dict(vars(feature_column))
        everything.update(vars(feature_column_lib))
        everything.update(vars(feature_column_v2))
        return everything
    from ossia_feature_column import (
        configuration,
        input_layer,
        interface,
        linear_layer,
        older_interface,
        sequence_input_layer,
        state_manager,
        transformations,
    )

    everything = {"_StateManagerImpl": state_manager.LayerState}
    for module in (configuration, input_layer, interface, linear_layer, older_interface, sequence_input_layer,
                   state_manager, transformations):
        everything.update(vars(module))
    return everything


def features(tf):
    return dict(
        age=tf.constant([[1.0], [20.0], [50.0]]),
        dense=tf.constant([["red"], ["blue"], [""]]),
        col=tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["red", "zzz", "blue"], [3, 2]),
        colw=tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [0.5, 2.0, 1.0], [3, 2]),
    )


def hashed(tf, key="col"):
    return tf.feature_column.categorical_column_with_hash_bucket(key, 5)


def embedding(tf, column):
    return tf.feature_column.embedding_column(column, 2, initializer=tf.ones_initializer())


def columns(tf):
    fc = tf.feature_column
    return [fc.numeric_column("age"), hashed(tf), embedding(tf, fc.weighted_categorical_column(hashed(tf), "colw"))]


def older_dense(tf):
    class Squares(names(tf)["_DenseColumn"]):
        name = "squares"
        _parse_example_spec = {"age": tf.FixedLenFeature([1], tf.float32)}
        _variable_shape = tf.TensorShape([2])

        def _transform_feature(self, inputs):
            return tf.square(inputs.get("age"))

        def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
            factors = tf.get_variable("factors", [1, 2], trainable=trainable, collections=weight_collections,
                                      initializer=tf.ones_initializer())
            return inputs.get(self) * factors

    return Squares()


def older_categories(tf):
    base = names(tf)["_CategoricalColumn"]

    class Signs(base):
        name = "signs"
        _parse_example_spec = {"age": tf.FixedLenFeature([1], tf.float32)}
        _num_buckets = 2

        def _transform_feature(self, inputs):
            ids = tf.cast(inputs.get("age") > 10.0, tf.int64)
            return tf.SparseTensor([[0, 0], [1, 0], [2, 0]], tf.reshape(ids, [-1]), [3, 1])

        def _get_sparse_tensors(self, inputs, weight_collections=None, trainable=None):
            return base.IdWeightPair(inputs.get(self), None)

    return Signs()


def newer(tf):
    given = names(tf)

    class Scaled(given["DenseColumn"]):
        name, parents, parse_example_spec, _is_v2_column = "scaled", ["age"], {}, True
        variable_shape = tf.TensorShape([1])

        def _get_config(self):
            return {}

        def create_state(self, state_manager):
            state_manager.create_variable(self, "factor", [1, 1], tf.float32, initializer=tf.ones_initializer())

        def transform_feature(self, transformation_cache, state_manager):
            return transformation_cache.get("age", state_manager) * 2.0

        def get_dense_tensor(self, transformation_cache, state_manager):
            return transformation_cache.get(self, state_manager) * state_manager.get_variable(self, "factor")

    return Scaled()


def case_linear_layers(tf):
    given = names(tf)
    model = given["LinearModel"](columns(tf), units=2, name="linear")
    layer = given["_LinearModelLayer"](columns(tf), sparse_combiner="mean", trainable=False)
    inputs = features(tf)
    with tf.variable_scope("outer"):
        outputs = [model(inputs), layer(inputs), model(inputs)]
    facts = [[v.name for v in model.variables], model.bias.name, [v.name for v in layer.non_trainable_variables],
             [v.name for v in layer.trainable_variables], model.name, layer.name]
    return Case([outputs, facts], init=True)


def case_linear_layers_partitioned(tf):
    with tf.variable_scope("outer", partitioner=tf.fixed_size_partitioner(2)):
        return Case(names(tf)["LinearModel"](columns(tf))(features(tf)), init=True)


def case_older_columns(tf):
    fc, found = tf.feature_column, {}
    signs, squares, inputs = older_categories(tf), older_dense(tf), features(tf)
    wrapped = [embedding(tf, signs), fc.indicator_column(signs)]
    layer = fc.input_layer(inputs, [squares] + wrapped, cols_to_vars=found, weight_collections=["mine"])
    model = fc.linear_model(inputs, [squares, signs], trainable=False)
    keys = sorted(fc.make_parse_example_spec([squares] + wrapped))
    return Case([layer, model, [[v.name for v in found[c]] for c in [squares] + wrapped], keys], init=True)


def case_newer_columns(tf):
    column = newer(tf)
    layer = tf.keras.layers.DenseFeatures([column, tf.feature_column.numeric_column("age")])
    inputs = features(tf)
    refused = [raises(tf.feature_column.input_layer, inputs, [column]),
               raises(tf.keras.layers.DenseFeatures, [older_dense(tf)]), raises(names(tf)["LinearModel"], 3)]
    return Case([layer(inputs), names(tf)["LinearModel"]([column])(inputs), refused,
                 list(layer.compute_output_shape((None, 1)))], init=True)


def case_input_layer_object(tf):
    layer = names(tf)["InputLayer"]([embedding(tf, hashed(tf)), tf.feature_column.numeric_column("age")])
    inputs = features(tf)
    return Case([layer(inputs), layer(inputs), [v.name for v in layer.weights], layer.name], init=True)


def case_sequence_input_layer(tf):
    contrib = tf.contrib.feature_column
    steps = [contrib.sequence_categorical_column_with_hash_bucket(key, 5) for key in ("col", "other")]
    shared = tf.feature_column.shared_embedding_columns(steps, 3, initializer=tf.ones_initializer())
    inputs = {key: value for key, value in features(tf).items() if key.startswith("col")}
    inputs["other"] = inputs["col"]
    layer = contrib.sequence_input_layer(inputs, [contrib.sequence_numeric_column("colw"), embedding(tf, steps[0])] + shared)
    refused = [raises(contrib.sequence_input_layer, inputs, given) for given in ([], [3], columns(tf)[:1])]
    return Case([layer, refused], init=True)


def case_context(tf):
    concatenate = names(tf)["concatenate_context_input"]
    steps = tf.reshape(tf.range(12.0), [2, 3, 2])
    return Case([concatenate(tf.constant([[1.0], [2.0]]), steps), raises(concatenate, tf.constant([1.0]), steps),
                 raises(concatenate, tf.constant([[1], [2]]), steps)])


def case_configurations(tf):
    fc, given = tf.feature_column, names(tf)
    number = fc.numeric_column("age")
    of = fc.bucketized_column(number, [1.0, 2.0])
    many = columns(tf) + [
        of, fc.categorical_column_with_identity("i", 3), fc.categorical_column_with_vocabulary_list("v", ["a", "b"]),
        fc.indicator_column(of), fc.crossed_column(["a", of], 5), fc.sequence_numeric_column("q"),
        fc.sequence_categorical_column_with_identity("i", 3),
    ]
    configs = given["serialize_feature_columns"](many)
    back = given["deserialize_feature_columns"](configs)
    again = given["serialize_feature_columns"](back)
    simple = [one == other for one, other in zip(many, back)]
    simple[2] = None  # an initializer is another object
    layer = tf.keras.layers.DenseFeatures([of, number])
    copy = tf.keras.layers.DenseFeatures.from_config(layer.get_config())
    refused = [raises(given["deserialize_feature_column"], {"class_name": "No", "config": {}}),
               raises(given["serialize_feature_column"], 3),
               raises(type(number)._from_config, {"key": "a"})]
    return [json.dumps(configs, sort_keys=True), json.dumps(again, sort_keys=True), simple,
            json.dumps(copy.get_config(), sort_keys=True), refused, given["serialize_feature_column"]("key")]


def case_state(tf):
    given, column = names(tf), tf.feature_column.numeric_column("a")
    manager = given["StateManager"]()
    return [raises(manager.create_variable, column, "v", [1]), raises(manager.get_variable, column, "v"),
            raises(manager.add_variable, column, "v"), raises(manager.add_resource, column, "r", 1),
            raises(manager.get_resource, column, "r"), raises(given["FeatureColumn"]), raises(given["_FeatureColumn"])]


def case_builder(tf):
    given, column = names(tf), tf.feature_column.numeric_column("age")
    inputs = features(tf)
    builder, cache = given["_LazyBuilder"](inputs), given["FeatureTransformationCache"](inputs)
    once = tf.feature_column.bucketized_column(column, [10.0])
    return Case([builder.get("age"), builder.get(once), cache.get(once, None), cache.get("age", None),
                 [builder.get(once) is builder.get(once), once._var_scope_name, once._num_buckets, column._is_v2_column],
                 raises(builder.get, 3), raises(cache.get, 3, None), raises(builder.get, "no"),
                 raises(given["_LazyBuilder"]({"age": 1.0}).get, "age")])
