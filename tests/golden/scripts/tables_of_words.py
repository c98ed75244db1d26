import numpy as np
import tensorflow as tf

tf.set_random_seed(6)
with open('vocab.txt', 'w') as f:
    f.write('\n'.join(['good', 'bad', 'movie', 'film', 'very']))
with open('kv.txt', 'w') as f:
    f.write('pos\t1\nneg\t0\n')
table = tf.contrib.lookup.index_table_from_file('vocab.txt', num_oov_buckets=2) if False else \
    tf.lookup.StaticVocabularyTable(tf.lookup.TextFileInitializer('vocab.txt', tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
                                                                  tf.lookup.TextFileIndex.LINE_NUMBER), 2)
labels = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer('kv.txt', tf.string, 0, tf.int64, 1, delimiter='\t'), -1)
names = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(tf.constant([0, 1], tf.int64), tf.constant(['neg', 'pos'])), 'unk')
text, lab = tf.placeholder(tf.string, [None]), tf.placeholder(tf.string, [None])
lower = tf.strings.lower(tf.strings.regex_replace(text, '[^a-zA-Z ]', ''))
tokens = tf.string_split(lower)
dense_tokens = tf.sparse_tensor_to_dense(tokens, default_value='')
ids = table.lookup(tokens)
pairs = tf.strings.join([dense_tokens[:, :-1], dense_tokens[:, 1:]], '_')
buckets = tf.string_to_hash_bucket_fast(pairs, 7)
strong = tf.strings.to_hash_bucket_strong(pairs, 7, [1, 2])
word_emb = tf.get_variable('word_emb', [7, 4])
bi_emb = tf.get_variable('bi_emb', [7, 4], partitioner=tf.min_max_variable_partitioner(2, min_slice_size=32))
bag = tf.nn.embedding_lookup_sparse(word_emb, ids, None, combiner='sqrtn')
weights = tf.SparseTensor(ids.indices, tf.ones(tf.shape(ids.values)) * 0.5, ids.dense_shape)
wbag = tf.nn.embedding_lookup_sparse(word_emb, ids, weights, combiner='mean', max_norm=1.0)
safe = tf.nn.safe_embedding_lookup_sparse([word_emb], ids, default_id=0)
mask = tf.to_float(tf.not_equal(pairs, '_'))
bi = tf.reduce_sum(tf.nn.embedding_lookup(bi_emb, buckets, partition_strategy='div') * mask[..., None], 1)
vec = tf.concat([bag, wbag, safe, bi], 1)
y = labels.lookup(lab)
logits = tf.layers.dense(vec, 2)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.FtrlOptimizer(0.3, l2_regularization_strength=0.01, learning_rate_power=-0.6).minimize(loss)
pred = names.lookup(tf.argmax(logits, 1))
top = tf.nn.top_k(tf.nn.softmax(logits), 1)
acc, acc_op = tf.metrics.accuracy(y, tf.argmax(logits, 1))
pr, pr_op = tf.metrics.precision(y, tf.argmax(logits, 1), name='prec')
lengths = tf.strings.length(text)
sub = tf.strings.substr(text, 0, 3)
nums = tf.string_to_number(tf.as_string(lengths), tf.int32)
fmt = tf.strings.format('n={}', nums)
t = ['Very good movie!', 'bad bad film', 'good film good', 'Very bad plot twist']
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
    print(sess.run([table.size(), labels.size()]), table.resource_handle.dtype.name if hasattr(table, 'resource_handle') else '')
    for step in range(4):
        l, _, a, p = sess.run([loss, train, acc_op, pr_op], {text: t, lab: ['pos', 'neg', 'pos', 'neg']})
        print('%.5f %.3f %.3f' % (l, a, p))
    out = sess.run([pred, tokens, ids, pairs, buckets, strong, lower, lengths, sub, fmt, top], {text: t})
    for o in out:
        print(o)
    print(sess.run(y, {lab: ['what']}), sess.run([acc, pr]))
print([v.name for v in tf.global_variables()], [v.name for v in tf.local_variables()])
