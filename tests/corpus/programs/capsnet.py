"""Capsules with dynamic routing, in the manner of the first public implementations."""
import numpy as np
import tensorflow as tf

epsilon = 1e-9
batch_size = 4


def squash(vector):
    vec_squared_norm = tf.reduce_sum(tf.square(vector), -2, keep_dims=True)
    scalar_factor = vec_squared_norm / (1 + vec_squared_norm) / tf.sqrt(vec_squared_norm + epsilon)
    return scalar_factor * vector


def routing(input, b_IJ, caps, num_outputs=3, num_dims=4):
    n = input.get_shape()[1].value
    W = tf.get_variable("Weight", shape=(1, n, num_outputs, caps, num_dims), dtype=tf.float32,
                        initializer=tf.random_normal_initializer(stddev=0.1))
    biases = tf.get_variable("bias", shape=(1, 1, num_outputs, num_dims, 1))
    input = tf.tile(input, [1, 1, num_outputs, 1, 1])
    W = tf.tile(W, [batch_size, 1, 1, 1, 1])
    u_hat = tf.matmul(W, input, transpose_a=True)
    assert u_hat.get_shape() == [batch_size, n, num_outputs, num_dims, 1]
    u_hat_stopped = tf.stop_gradient(u_hat, name="stop_gradient")
    for r_iter in range(3):
        with tf.variable_scope("iter_" + str(r_iter)):
            c_IJ = tf.nn.softmax(b_IJ, dim=2)
            if r_iter == 2:
                s_J = tf.multiply(c_IJ, u_hat)
                s_J = tf.reduce_sum(s_J, axis=1, keep_dims=True) + biases
                v_J = squash(s_J)
            else:
                s_J = tf.multiply(c_IJ, u_hat_stopped)
                s_J = tf.reduce_sum(s_J, axis=1, keep_dims=True) + biases
                v_J = squash(s_J)
                v_J_tiled = tf.tile(v_J, [1, n, 1, 1, 1])
                u_produce_v = tf.matmul(u_hat_stopped, v_J_tiled, transpose_a=True)
                b_IJ += u_produce_v
    return v_J


class CapsNet(object):
    def __init__(self):
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.set_random_seed(1)
            rng = np.random.RandomState(3)
            self.x, self.labels = self.batch(rng)
            self.Y = tf.one_hot(self.labels, depth=3, axis=1, dtype=tf.float32)
            self.build()
            self.loss()
            self.global_step = tf.Variable(0, name="global_step", trainable=False)
            self.optimizer = tf.train.AdamOptimizer()
            self.train_op = self.optimizer.minimize(self.total_loss, global_step=self.global_step)

    def batch(self, rng):
        images = rng.rand(20, 9, 9, 1).astype(np.float32)
        labels = rng.randint(0, 3, 20).astype(np.int32)
        queue = tf.train.slice_input_producer([images, labels], shuffle=False)
        return tf.train.batch(queue, num_threads=1, batch_size=batch_size, capacity=16, allow_smaller_final_batch=False)

    def build(self):
        with tf.variable_scope("Conv1_layer"):
            conv1 = tf.contrib.layers.conv2d(self.x, num_outputs=6, kernel_size=3, stride=1, padding="VALID")
            assert conv1.get_shape() == [batch_size, 7, 7, 6]
        with tf.variable_scope("PrimaryCaps_layer"):
            capsules = tf.contrib.layers.conv2d(conv1, 2 * 4, 3, 2, padding="VALID", activation_fn=tf.nn.relu,
                                                weights_initializer=tf.contrib.layers.xavier_initializer(),
                                                biases_initializer=tf.constant_initializer(0))
            capsules = tf.reshape(capsules, (batch_size, -1, 4, 1))
            caps1 = squash(capsules)
        with tf.variable_scope("DigitCaps_layer"):
            inp = tf.reshape(caps1, shape=(batch_size, -1, 1, caps1.shape[-2].value, 1))
            with tf.variable_scope("routing"):
                b_IJ = tf.constant(np.zeros([batch_size, inp.shape[1].value, 3, 1, 1], dtype=np.float32))
                caps2 = routing(inp, b_IJ, 4)
                self.caps2 = tf.squeeze(caps2, axis=1)
        with tf.variable_scope("Masking"):
            self.v_length = tf.sqrt(tf.reduce_sum(tf.square(self.caps2), axis=2, keep_dims=True) + epsilon)
            self.softmax_v = tf.nn.softmax(self.v_length, dim=1)
            self.argmax_idx = tf.to_int32(tf.argmax(self.softmax_v, axis=1))
            self.argmax_idx = tf.reshape(self.argmax_idx, shape=(batch_size,))
            self.masked_v = tf.multiply(tf.squeeze(self.caps2), tf.reshape(self.Y, (-1, 3, 1)))
        with tf.variable_scope("Decoder"):
            vector_j = tf.reshape(self.masked_v, shape=(batch_size, -1))
            fc1 = tf.contrib.layers.fully_connected(vector_j, num_outputs=8)
            self.decoded = tf.contrib.layers.fully_connected(fc1, num_outputs=81, activation_fn=tf.sigmoid)

    def loss(self):
        max_l = tf.square(tf.maximum(0., 0.9 - self.v_length))
        max_r = tf.square(tf.maximum(0., self.v_length - 0.1))
        max_l = tf.reshape(max_l, shape=(batch_size, -1))
        max_r = tf.reshape(max_r, shape=(batch_size, -1))
        T_c = self.Y
        L_c = T_c * max_l + 0.5 * (1 - T_c) * max_r
        self.margin_loss = tf.reduce_mean(tf.reduce_sum(L_c, axis=1))
        origin = tf.reshape(self.x, shape=(batch_size, -1))
        self.reconstruction_err = tf.reduce_mean(tf.square(self.decoded - origin))
        self.total_loss = self.margin_loss + 0.392 * self.reconstruction_err
        correct = tf.equal(tf.to_int32(self.labels), self.argmax_idx)
        self.accuracy = tf.reduce_sum(tf.cast(correct, tf.float32))
        summary = [tf.summary.scalar("train/margin_loss", self.margin_loss),
                   tf.summary.scalar("train/total_loss", self.total_loss),
                   tf.summary.image("reconstruction_img", tf.reshape(self.decoded, (batch_size, 9, 9, 1)))]
        self.train_summary = tf.summary.merge(summary)


def main(_):
    model = CapsNet()
    with model.graph.as_default():
        sv = tf.train.Supervisor(graph=model.graph, logdir="logdir", save_model_secs=0)
        with sv.managed_session() as sess:
            for step in range(6):
                if sv.should_stop():
                    break
                if step % 3 == 0:
                    _, loss, acc, s = sess.run([model.train_op, model.total_loss, model.accuracy, model.train_summary])
                    sv.summary_writer.add_summary(s, step)
                else:
                    _, loss, acc = sess.run([model.train_op, model.total_loss, model.accuracy])
                print(step, "%.6f" % loss, acc)
            sv.saver.save(sess, "logdir/model_epoch_%04d_step_%02d" % (0, step))
    print([(v.op.name, v.shape.as_list()) for v in model.graph.get_collection("trainable_variables")])
    print(len(model.graph.get_operations()))


if __name__ == "__main__":
    tf.app.run()
