"""Wide & Deep by tf.estimator: census-like rows from a CSV file."""
from __future__ import print_function

import os
import shutil

import numpy as np
import tensorflow as tf

_CSV_COLUMNS = ["age", "workclass", "education", "education_num", "occupation", "hours", "income"]
_CSV_COLUMN_DEFAULTS = [[0], [""], [""], [0], [""], [0], [""]]


def write_csv(name, seed, rows=80):
    random = np.random.RandomState(seed)
    with open(name, "w") as f:
        for _ in range(rows):
            age, education = random.randint(18, 80), random.randint(1, 16)
            rich = education + age / 10. + random.randn() > 13
            f.write("%d,%s,%s,%d,%s,%d,%s\n" % (
                age, ["Private", "State-gov", "?"][random.randint(3)], ["Bachelors", "Masters", "11th"][education % 3],
                education, ["Sales", "Tech", "Farming", "Other"][random.randint(4)], random.randint(20, 60),
                ">50K" if rich else "<=50K"))


def build_model_columns():
    age = tf.feature_column.numeric_column("age")
    education_num = tf.feature_column.numeric_column("education_num")
    hours = tf.feature_column.numeric_column("hours")
    education = tf.feature_column.categorical_column_with_vocabulary_list("education", ["Bachelors", "Masters", "11th"])
    workclass = tf.feature_column.categorical_column_with_vocabulary_list("workclass", ["Private", "State-gov", "?"])
    occupation = tf.feature_column.categorical_column_with_hash_bucket("occupation", hash_bucket_size=20)
    age_buckets = tf.feature_column.bucketized_column(age, boundaries=[25, 35, 45, 55, 65])
    base = [education, workclass, occupation, age_buckets]
    crossed = [tf.feature_column.crossed_column(["education", "occupation"], hash_bucket_size=50),
               tf.feature_column.crossed_column([age_buckets, "education", "occupation"], hash_bucket_size=50)]
    deep = [age, education_num, hours, tf.feature_column.indicator_column(workclass),
            tf.feature_column.indicator_column(education), tf.feature_column.embedding_column(occupation, dimension=4)]
    return base + crossed, deep


def input_fn(data_file, num_epochs, shuffle, batch_size):
    assert tf.gfile.Exists(data_file)

    def parse_csv(value):
        columns = tf.decode_csv(value, record_defaults=_CSV_COLUMN_DEFAULTS)
        features = dict(zip(_CSV_COLUMNS, columns))
        labels = features.pop("income")
        return features, tf.equal(labels, ">50K")

    dataset = tf.data.TextLineDataset(data_file)
    if shuffle:
        dataset = dataset.shuffle(buffer_size=80, seed=4)
    return dataset.map(parse_csv, num_parallel_calls=2).repeat(num_epochs).batch(batch_size)


def main(_):
    tf.logging.set_verbosity(tf.logging.ERROR)
    write_csv("train.csv", 0)
    write_csv("test.csv", 1)
    wide, deep = build_model_columns()
    for model_type in ("wide", "deep", "wide_deep"):
        model_dir = "model_" + model_type
        shutil.rmtree(model_dir, ignore_errors=True)
        config = tf.estimator.RunConfig(tf_random_seed=1).replace(
            session_config=tf.ConfigProto(device_count={"GPU": 0}))
        if model_type == "wide":
            model = tf.estimator.LinearClassifier(model_dir=model_dir, feature_columns=wide, config=config)
        elif model_type == "deep":
            model = tf.estimator.DNNClassifier(
                model_dir=model_dir, feature_columns=deep, hidden_units=[16, 8], config=config)
        else:
            model = tf.estimator.DNNLinearCombinedClassifier(
                model_dir=model_dir, linear_feature_columns=wide, dnn_feature_columns=deep, dnn_hidden_units=[16, 8],
                config=config)
        for n in range(2):
            model.train(input_fn=lambda: input_fn("train.csv", 1, True, 20))
            results = model.evaluate(input_fn=lambda: input_fn("test.csv", 1, False, 20))
            print("Results at epoch", n + 1)
            for key in sorted(results):
                print("%s: %s" % (key, results[key]))
        predictions = list(model.predict(lambda: input_fn("test.csv", 1, False, 20)))
        print(len(predictions), sorted(predictions[0]), predictions[0]["probabilities"], predictions[0]["classes"])
        print(model.get_variable_names()[:6])
        spec = tf.feature_column.make_parse_example_spec(wide + deep)
        print(sorted(spec.items()) if model_type == "wide" else len(spec))
        export = model.export_savedmodel(
            model_dir + "/export", tf.estimator.export.build_parsing_serving_input_receiver_fn(spec))
        print(sorted(os.listdir(export)))
        shutil.rmtree(model_dir)


if __name__ == "__main__":
    tf.app.run()
