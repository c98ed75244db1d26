"""Estimators, experiments, vocabularies and data sets of `tf.contrib.learn`."""
import tempfile

import numpy as np

X = np.arange(12, dtype=np.float32).reshape(6, 2) / 10
Y = np.arange(6, dtype=np.float32)


def model_fn_of(tf, seen):
    learn = tf.contrib.learn

    def model_fn(features, labels, mode, params):
        seen.append((mode, getattr(features, "name", sorted(features) if isinstance(features, dict) else None), getattr(labels, "name", None), len(tf.get_default_graph().get_operations())))
        x = features["x"] if isinstance(features, dict) else features
        w = tf.get_variable("w", [2, 1], initializer=tf.random_uniform_initializer())
        p = tf.squeeze(tf.matmul(x, w), 1)
        if mode == learn.ModeKeys.INFER:
            return learn.ModelFnOps(mode, {"p": p, "q": p * 2})
        loss = tf.losses.mean_squared_error(labels, p)
        train = tf.train.GradientDescentOptimizer(params["rate"]).minimize(loss, global_step=tf.train.get_global_step())
        return learn.ModelFnOps(mode, {"p": p}, loss, train)

    return model_fn


def rounded(results):
    return sorted((name, round(float(value), 4)) for name, value in results.items())


def case_fit_on_arrays(tf):
    learn, seen = tf.contrib.learn, []
    estimator = learn.Estimator(model_fn_of(tf, seen), tempfile.mkdtemp(), learn.RunConfig(tf_random_seed=7), {"rate": 0.1})
    estimator.fit(X, Y, steps=5, batch_size=4)
    metrics = {"rmse": learn.MetricSpec(tf.metrics.root_mean_squared_error, "p")}
    scores = estimator.evaluate(X, Y, batch_size=3, metrics=metrics)
    rows = [round(float(row["p"]), 4) for row in estimator.predict(X, batch_size=4)]
    columns = estimator.predict(X, as_iterable=False, outputs=["q"])
    return [seen, rounded(scores), rows, sorted(columns), [round(float(each), 4) for each in columns["q"]], estimator.get_variable_names()]


def case_fit_on_an_input_function(tf):
    learn, seen = tf.contrib.learn, []
    estimator = learn.Estimator(model_fn_of(tf, seen), tempfile.mkdtemp(), learn.RunConfig(tf_random_seed=3), {"rate": 0.1})
    input_fn = lambda: ({"x": tf.constant(X)}, tf.constant(Y))
    estimator.fit(input_fn=input_fn, steps=2).fit(input_fn=input_fn, max_steps=3)
    estimator.fit(input_fn=input_fn, max_steps=2)
    return [seen, rounded(estimator.evaluate(input_fn=input_fn, steps=2)), [round(float(row["p"]), 4) for row in estimator.predict(input_fn=input_fn)]]


def case_sklearn(tf):
    learn = tf.contrib.learn
    model = learn.SKCompat(learn.Estimator(model_fn_of(tf, []), tempfile.mkdtemp(), learn.RunConfig(tf_random_seed=1), {"rate": 0.1}))
    model.fit(X, Y, steps=3, batch_size=2)
    return [rounded(model.score(X, Y)), [round(float(each), 4) for each in model.predict(X)["p"]]]


def case_not_trained(tf):
    tf.contrib.learn.Estimator(model_fn_of(tf, []), tempfile.mkdtemp(), params={"rate": 1}).predict(X)


def case_two_kinds_of_input(tf):
    tf.contrib.learn.Estimator(model_fn_of(tf, []), tempfile.mkdtemp(), params={"rate": 1}).fit(X, Y, input_fn=lambda: 1)


def case_parameters_not_taken(tf):
    tf.contrib.learn.Estimator(lambda features, labels: 1, tempfile.mkdtemp(), params={"rate": 1})


def case_validation_monitor(tf):
    learn = tf.contrib.learn
    estimator = learn.Estimator(model_fn_of(tf, []), tempfile.mkdtemp(), learn.RunConfig(tf_random_seed=1, save_checkpoints_steps=1), {"rate": 0.0})
    monitor = learn.monitors.ValidationMonitor(X, Y, every_n_steps=1, early_stopping_rounds=3, check_interval_secs=0)
    estimator.fit(X, Y, steps=20, monitors=[monitor])
    return [monitor.early_stopped, monitor.best_step, int(estimator.get_variable_value("global_step"))]


def case_experiment(tf):
    learn = tf.contrib.learn
    input_fn = lambda: (tf.constant(X), tf.constant(Y))

    def experiment_fn(run_config, hparams):
        estimator = learn.Estimator(model_fn_of(tf, []), config=run_config, params={"rate": hparams.rate})
        return learn.Experiment(estimator, input_fn, input_fn, train_steps=5, eval_steps=1, eval_delay_secs=0)

    config = learn.RunConfig(model_dir=tempfile.mkdtemp(), tf_random_seed=2)
    results, exports = learn.learn_runner.run(experiment_fn, run_config=config, hparams=tf.contrib.training.HParams(rate=0.1))
    return [rounded(results), exports, rounded(learn.learn_runner.run(experiment_fn, schedule="evaluate", run_config=config, hparams=tf.contrib.training.HParams(rate=0.1)))]


def case_unknown_schedule(tf):
    learn = tf.contrib.learn
    fn = lambda output_dir: learn.Experiment(learn.Estimator(model_fn_of(tf, []), output_dir, params={"rate": 1}), None, None)
    learn.learn_runner.run(fn, tempfile.mkdtemp(), schedule="none")


def case_run_n(tf):
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
    return [rounded(each) for each in tf.contrib.learn.run_n({"a": tf.assign_add(v, 1.0)}, n=3)]


def case_vocabulary(tf):
    documents = ["I love cats, don't you?", "You love dogs & cats 3.5 say-so", "cats cats"]
    processor = tf.contrib.learn.preprocessing.VocabularyProcessor(5, min_frequency=1)
    rows = np.array(list(processor.fit_transform(documents)))
    path = tempfile.mkdtemp() + "/vocabulary"
    processor.save(path)
    again = tf.contrib.learn.preprocessing.VocabularyProcessor.restore(path)
    new = [row.tolist() for row in again.transform(["new cats love"])]
    return [rows.tolist(), str(rows.dtype), len(processor.vocabulary_), list(processor.reverse(rows)), new, len(again.vocabulary_)]


def case_categories(tf):
    vocabulary = tf.contrib.learn.preprocessing.CategoricalVocabulary()
    for word in "z b q b y y a q m m m".split():
        vocabulary.add(word)
    before = [vocabulary.get(word) for word in "zbqyam"]
    vocabulary.trim(1, 3)
    vocabulary.freeze()
    rows = tf.contrib.learn.preprocessing.CategoricalProcessor().fit_transform([["a", "b"], ["b", "b"], ["c", float("nan")]])
    return [before, [vocabulary.get(word) for word in "zbqyam"], vocabulary.reverse(1), [row.tolist() for row in rows]]


def case_bytes(tf):
    rows = tf.contrib.learn.preprocessing.ByteProcessor(4).transform(["abcdef", b"xy"])
    return [[int(each) for each in row] for row in rows]


def case_data_sets(tf):
    iris, boston = tf.contrib.learn.datasets.load_iris(), tf.contrib.learn.datasets.load_dataset("boston")
    circles = tf.contrib.learn.datasets.make_dataset("circles", n_samples=8, noise=0.1, seed=3)
    return [iris.data.shape, iris.data.sum().round(6), iris.target.sum(), str(iris.target.dtype), boston.data.shape,
            boston.data.sum().round(4), boston.target.sum().round(4), circles.data.round(5).tolist(), circles.target.tolist()]


def case_unknown_data_set(tf):
    tf.contrib.learn.datasets.load_dataset("none")
