"""Skip-gram word vectors with noise-contrastive estimation."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import collections
import math
import os
import random

import numpy as np
from six.moves import xrange

import tensorflow as tf
from tensorflow.contrib.tensorboard.plugins import projector

words = ("anarchism originated as a term of abuse first used against early working class radicals including the "
         "diggers of the english revolution and the sans culottes of the french revolution while the term is still "
         "used in a pejorative way to describe any act that used violent means to destroy the organization of society "
         ).split() * 4
vocabulary_size = 40


def build_dataset(words, n_words):
    count = [["UNK", -1]]
    count.extend(collections.Counter(words).most_common(n_words - 1))
    dictionary = {}
    for word, _ in count:
        dictionary[word] = len(dictionary)
    data, unk_count = [], 0
    for word in words:
        index = dictionary.get(word, 0)
        unk_count += index == 0
        data.append(index)
    count[0][1] = unk_count
    return data, count, dictionary, dict(zip(dictionary.values(), dictionary.keys()))


data, count, dictionary, reverse_dictionary = build_dataset(words, vocabulary_size)
print("Most common words (+UNK)", count[:5])
print("Sample data", data[:10], [reverse_dictionary[i] for i in data[:10]])
data_index = 0
random.seed(4)


def generate_batch(batch_size, num_skips, skip_window):
    global data_index
    batch = np.ndarray(shape=(batch_size), dtype=np.int32)
    labels = np.ndarray(shape=(batch_size, 1), dtype=np.int32)
    span = 2 * skip_window + 1
    buffer = collections.deque(maxlen=span)
    if data_index + span > len(data):
        data_index = 0
    buffer.extend(data[data_index:data_index + span])
    data_index += span
    for i in xrange(batch_size // num_skips):
        context_words = [w for w in xrange(span) if w != skip_window]
        words_to_use = random.sample(context_words, num_skips)
        for j, context_word in enumerate(words_to_use):
            batch[i * num_skips + j] = buffer[skip_window]
            labels[i * num_skips + j, 0] = buffer[context_word]
        if data_index == len(data):
            buffer.extend(data[0:span])
            data_index = span
        else:
            buffer.append(data[data_index])
            data_index += 1
    data_index = (data_index + len(data) - span) % len(data)
    return batch, labels


batch_size, embedding_size, num_sampled, log_dir = 16, 12, 8, "log"
valid_examples = np.array([1, 3, 5, 7])
graph = tf.Graph()
with graph.as_default():
    tf.set_random_seed(3)
    with tf.name_scope("inputs"):
        train_inputs = tf.placeholder(tf.int32, shape=[batch_size])
        train_labels = tf.placeholder(tf.int32, shape=[batch_size, 1])
        valid_dataset = tf.constant(valid_examples, dtype=tf.int32)
    with tf.device("/cpu:0"):
        with tf.name_scope("embeddings"):
            embeddings = tf.Variable(tf.random_uniform([vocabulary_size, embedding_size], -1.0, 1.0))
            embed = tf.nn.embedding_lookup(embeddings, train_inputs)
        with tf.name_scope("weights"):
            nce_weights = tf.Variable(tf.truncated_normal([vocabulary_size, embedding_size],
                                                          stddev=1.0 / math.sqrt(embedding_size)))
        with tf.name_scope("biases"):
            nce_biases = tf.Variable(tf.zeros([vocabulary_size]))
    with tf.name_scope("loss"):
        loss = tf.reduce_mean(tf.nn.nce_loss(weights=nce_weights, biases=nce_biases, labels=train_labels, inputs=embed,
                                             num_sampled=num_sampled, num_classes=vocabulary_size))
    tf.summary.scalar("loss", loss)
    with tf.name_scope("optimizer"):
        optimizer = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
    normalized_embeddings = embeddings / norm
    valid_embeddings = tf.nn.embedding_lookup(normalized_embeddings, valid_dataset)
    similarity = tf.matmul(valid_embeddings, normalized_embeddings, transpose_b=True)
    merged = tf.summary.merge_all()
    init = tf.global_variables_initializer()
    saver = tf.train.Saver()

with tf.Session(graph=graph) as session:
    writer = tf.summary.FileWriter(log_dir, session.graph)
    init.run()
    average_loss = 0
    for step in xrange(31):
        batch_inputs, batch_labels = generate_batch(batch_size, 2, 1)
        run_metadata = tf.RunMetadata()
        _, summary, loss_val = session.run(
            [optimizer, merged, loss], feed_dict={train_inputs: batch_inputs, train_labels: batch_labels},
            run_metadata=run_metadata)
        average_loss += loss_val
        writer.add_summary(summary, step)
        if step == 30:
            writer.add_run_metadata(run_metadata, "step%d" % step)
        if step % 10 == 0:
            print("Average loss at step ", step, ": %.3f" % (average_loss / 10))
            average_loss = 0
            sim = similarity.eval()
            for i in xrange(2):
                nearest = (-sim[i, :]).argsort()[1:4]
                print("Nearest to %s:" % reverse_dictionary[valid_examples[i]],
                      [reverse_dictionary[k] for k in nearest])
    final_embeddings = normalized_embeddings.eval()
    with open(log_dir + "/metadata.tsv", "w") as f:
        for i in xrange(vocabulary_size):
            f.write(reverse_dictionary[i] + "\n")
    saver.save(session, os.path.join(log_dir, "model.ckpt"))
    config = projector.ProjectorConfig()
    embedding_conf = config.embeddings.add()
    embedding_conf.tensor_name = embeddings.name
    embedding_conf.metadata_path = "metadata.tsv"
    projector.visualize_embeddings(writer, config)
writer.close()
print(np.round(final_embeddings[3, :5], 3))
print(open(log_dir + "/projector_config.pbtxt").read())
