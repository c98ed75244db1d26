"""Tell whose income exceeds 50,000 dollars by a wide and deep model of categorical and numeric columns.

Written for TensorFlow 1. The rows are made here: they have the columns and the categories of the census income data
(https://archive.ics.uci.edu/dataset/2/adult), not its people. Income follows a rule in which education counts for more
in some occupations, which only crossed columns and the network see; one answer in twenty is wrong, so no model is right
more often than for 95 %.

    python census.py --model_dir=census_model --steps=2000
"""
import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("model_dir", "census_model", "where checkpoints, summaries and the exported model go")
flags.DEFINE_integer("steps", 2000, "train until this global step")
flags.DEFINE_integer("batch_size", 128, "people per step")
FLAGS = flags.FLAGS

CATEGORIES = {
    "workclass": ["Private", "Self-emp-not-inc", "Local-gov", "State-gov", "Federal-gov", "Without-pay"],
    "education": ["HS-grad", "Some-college", "11th", "Assoc-voc", "Bachelors", "Masters", "Prof-school", "Doctorate"],
    "marital_status": ["Married-civ-spouse", "Never-married", "Divorced", "Separated", "Widowed"],
    "occupation": ["Craft-repair", "Sales", "Exec-managerial", "Prof-specialty", "Adm-clerical", "Other-service"],
    "relationship": ["Husband", "Wife", "Own-child", "Unmarried", "Not-in-family"],
}
YEARS = [9, 10, 7, 11, 13, 14, 15, 16]  # of each education
GAIN_PER_YEAR = [0.1, 0.15, 0.5, 0.6, 0.1, -0.1]  # by occupation
WRONG = 0.05


def make_people(count, seed):
    """Features by name, and labels: 1 for a large income."""
    random = np.random.RandomState(seed)
    codes = {name: random.randint(0, len(words), count) for name, words in CATEGORIES.items()}
    features = {name: np.array(words)[codes[name]] for name, words in CATEGORIES.items()}
    years = np.array(YEARS)[codes["education"]]
    features["age"] = random.randint(17, 80, count).astype(np.float32)
    features["education_num"] = years.astype(np.float32)
    features["hours_per_week"] = np.clip(random.normal(40, 10, count), 5, 90).astype(np.float32)
    features["capital_gain"] = np.where(random.rand(count) < 0.1, random.exponential(8000, count), 0).astype(np.float32)
    worth = (
        (years - 10) * np.array(GAIN_PER_YEAR)[codes["occupation"]] - ((features["age"] - 48) / 15) ** 2
        + (features["hours_per_week"] - 40) / 15 + features["capital_gain"] / 5000
        + (codes["marital_status"] == 0) * 1.0
    )
    return features, ((worth > 0.5) ^ (random.rand(count) < WRONG)).astype(np.int32)


def columns():
    """Columns of the linear model and of the network."""
    column = tf.feature_column
    age = column.numeric_column("age")
    ages = column.bucketized_column(age, [20, 25, 30, 35, 40, 45, 50, 55, 60, 65])
    words = {
        name: column.categorical_column_with_vocabulary_list(name, values) for name, values in CATEGORIES.items()
    }
    crossed = [
        column.crossed_column(["education", "occupation"], 100),
        column.crossed_column([ages, "education", "occupation"], 1000),
    ]
    dense = [column.indicator_column(each) for each in words.values()]
    for name, mean, deviation in (("age", 48, 18), ("education_num", 12, 3), ("hours_per_week", 40, 10)):
        dense.append(column.numeric_column(
            name, normalizer_fn=lambda value, mean=mean, deviation=deviation: (value - mean) / deviation))
    dense.append(column.numeric_column("capital_gain", normalizer_fn=lambda value: tf.log1p(value) / 10))
    dense.append(column.embedding_column(crossed[0], 8))
    return [*words.values(), ages, *crossed], dense


def main(_):
    train, test = make_people(20000, 0), make_people(5000, 1)
    wide, deep = columns()
    model = tf.estimator.DNNLinearCombinedClassifier(
        FLAGS.model_dir, linear_feature_columns=wide, dnn_feature_columns=deep, dnn_hidden_units=[64, 32],
        dnn_optimizer=tf.train.AdagradOptimizer(0.05), config=tf.estimator.RunConfig(tf_random_seed=1))

    def inputs(data, epochs, shuffle):
        return tf.estimator.inputs.numpy_input_fn(
            data[0], data[1], batch_size=FLAGS.batch_size, num_epochs=epochs, shuffle=shuffle)

    spec = tf.feature_column.make_parse_example_spec(wide + deep)
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    metrics, _ = tf.estimator.train_and_evaluate(
        model, tf.estimator.TrainSpec(inputs(train, None, True), max_steps=FLAGS.steps),
        tf.estimator.EvalSpec(
            inputs(test, 1, False), steps=None, exporters=tf.estimator.FinalExporter("census", receiver)))
    print("accuracy %.3f, area under the curve %.3f" % (metrics["accuracy"], metrics["auc"]))


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.WARN)
    tf.app.run()
