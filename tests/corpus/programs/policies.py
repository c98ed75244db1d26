"""REINFORCE, DDPG and PPO with environments of a few lines."""
import numpy as np
import tensorflow as tf

np.random.seed(1)
tf.set_random_seed(1)


class Point(object):
    def reset(self):
        self.s, self.t = np.array([0.5, -0.3], np.float32), 0
        return self.s.copy()

    def step(self, a):
        self.s = (0.9 * self.s + 0.1 * np.array([a, -a])).astype(np.float32)
        self.t += 1
        return self.s.copy(), -float(np.sum(self.s ** 2)), self.t >= 8, {}


class PolicyGradient:
    def __init__(self):
        with tf.name_scope("inputs"):
            self.tf_obs = tf.placeholder(tf.float32, [None, 2], name="observations")
            self.tf_acts = tf.placeholder(tf.int32, [None, ], name="actions_num")
            self.tf_vt = tf.placeholder(tf.float32, [None, ], name="actions_value")
        layer = tf.layers.dense(inputs=self.tf_obs, units=10, activation=tf.nn.tanh, kernel_initializer=tf.random_normal_initializer(mean=0, stddev=0.3),
                                bias_initializer=tf.constant_initializer(0.1), name="fc1")
        all_act = tf.layers.dense(inputs=layer, units=3, activation=None, kernel_initializer=tf.random_normal_initializer(mean=0, stddev=0.3), name="fc2")
        self.all_act_prob = tf.nn.softmax(all_act, name="act_prob")
        self.sample = tf.squeeze(tf.multinomial(all_act, 1), axis=1)
        with tf.name_scope("loss"):
            neg_log_prob = tf.reduce_sum(-tf.log(self.all_act_prob) * tf.one_hot(self.tf_acts, 3), axis=1)
            self.loss = tf.reduce_mean(neg_log_prob * self.tf_vt)
        with tf.name_scope("train"):
            self.train_op = tf.train.AdamOptimizer(0.02).minimize(self.loss)


class DDPG(object):
    def __init__(self):
        self.S = tf.placeholder(tf.float32, [None, 2], "s")
        self.S_ = tf.placeholder(tf.float32, [None, 2], "s_")
        self.R = tf.placeholder(tf.float32, [None, 1], "r")
        self.a = self._build_a(self.S)
        q = self._build_c(self.S, self.a)
        a_params = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="Actor")
        c_params = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="Critic")
        ema = tf.train.ExponentialMovingAverage(decay=1 - 0.01)

        def ema_getter(getter, name, *args, **kwargs):
            return ema.average(getter(name, *args, **kwargs))
        target_update = [ema.apply(a_params), ema.apply(c_params)]
        a_ = self._build_a(self.S_, reuse=True, custom_getter=ema_getter)
        q_ = self._build_c(self.S_, a_, reuse=True, custom_getter=ema_getter)
        self.a_loss = -tf.reduce_mean(q)
        self.atrain = tf.train.AdamOptimizer(0.001).minimize(self.a_loss, var_list=a_params)
        with tf.control_dependencies(target_update):
            self.td_error = tf.losses.mean_squared_error(labels=self.R + 0.9 * q_, predictions=q)
            self.ctrain = tf.train.AdamOptimizer(0.002).minimize(self.td_error, var_list=c_params)

    def _build_a(self, s, reuse=None, custom_getter=None):
        trainable = True if reuse is None else False
        with tf.variable_scope("Actor", reuse=reuse, custom_getter=custom_getter):
            net = tf.layers.dense(s, 8, activation=tf.nn.relu, name="l1", trainable=trainable)
            a = tf.layers.dense(net, 1, activation=tf.nn.tanh, name="a", trainable=trainable)
            return tf.multiply(a, [2.0], name="scaled_a")

    def _build_c(self, s, a, reuse=None, custom_getter=None):
        trainable = True if reuse is None else False
        with tf.variable_scope("Critic", reuse=reuse, custom_getter=custom_getter):
            w1_s = tf.get_variable("w1_s", [2, 8], trainable=trainable)
            w1_a = tf.get_variable("w1_a", [1, 8], trainable=trainable)
            b1 = tf.get_variable("b1", [1, 8], trainable=trainable)
            net = tf.nn.relu(tf.matmul(s, w1_s) + tf.matmul(a, w1_a) + b1)
            return tf.layers.dense(net, 1, trainable=trainable)


class PPO(object):
    def __init__(self):
        self.tfs = tf.placeholder(tf.float32, [None, 2], "state")
        with tf.variable_scope("critic"):
            l1 = tf.layers.dense(self.tfs, 8, tf.nn.relu)
            self.v = tf.layers.dense(l1, 1)
            self.tfdc_r = tf.placeholder(tf.float32, [None, 1], "discounted_r")
            self.advantage = self.tfdc_r - self.v
            self.closs = tf.reduce_mean(tf.square(self.advantage))
            self.ctrain_op = tf.train.AdamOptimizer(0.02).minimize(self.closs)
        pi, pi_params = self._build_anet("pi", trainable=True)
        oldpi, oldpi_params = self._build_anet("oldpi", trainable=False)
        with tf.variable_scope("sample_action"):
            self.sample_op = tf.squeeze(pi.sample(1), axis=0)
        with tf.variable_scope("update_oldpi"):
            self.update_oldpi_op = [oldp.assign(p) for p, oldp in zip(pi_params, oldpi_params)]
        self.tfa = tf.placeholder(tf.float32, [None, 1], "action")
        self.tfadv = tf.placeholder(tf.float32, [None, 1], "advantage")
        with tf.variable_scope("loss"):
            with tf.variable_scope("surrogate"):
                ratio = pi.prob(self.tfa) / oldpi.prob(self.tfa)
                surr = ratio * self.tfadv
            self.kl = tf.reduce_mean(tf.distributions.kl_divergence(oldpi, pi))
            self.entropy = tf.reduce_mean(pi.entropy())
            self.aloss = -tf.reduce_mean(tf.minimum(surr, tf.clip_by_value(ratio, 1. - 0.2, 1. + 0.2) * self.tfadv)) - 0.01 * self.entropy
        with tf.variable_scope("atrain"):
            self.atrain_op = tf.train.AdamOptimizer(0.01).minimize(self.aloss)

    def _build_anet(self, name, trainable):
        with tf.variable_scope(name):
            l1 = tf.layers.dense(self.tfs, 8, tf.nn.relu, trainable=trainable)
            mu = 2 * tf.layers.dense(l1, 1, tf.nn.tanh, trainable=trainable)
            sigma = tf.layers.dense(l1, 1, tf.nn.softplus, trainable=trainable)
            norm_dist = tf.distributions.Normal(loc=mu, scale=sigma)
        return norm_dist, tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=name)


def discounted(rs, g=0.9):
    out, r = [], 0.0
    for x in rs[::-1]:
        r = x + g * r
        out.append(r)
    return np.array(out[::-1], np.float32)


env = Point()
with tf.variable_scope("reinforce"):
    pg = PolicyGradient()
ddpg = DDPG()
ppo = PPO()
print(len(tf.get_default_graph().get_operations()), len(tf.global_variables()), len(tf.trainable_variables()))
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for episode in range(3):
    s, done, ss, aa, rr = env.reset(), False, [], [], []
    while not done:
        a = int(sess.run(pg.sample, {pg.tf_obs: s[None]})[0])
        s_, r, done, _ = env.step(a - 1)
        ss.append(s), aa.append(a), rr.append(r)
        s = s_
    vt = discounted(rr)
    vt = (vt - vt.mean()) / vt.std()
    _, loss = sess.run([pg.train_op, pg.loss], {pg.tf_obs: ss, pg.tf_acts: aa, pg.tf_vt: vt})
    print("reinforce", aa, "%.5f %.5f" % (sum(rr), loss))
for episode in range(2):
    s, done, mem = env.reset(), False, []
    while not done:
        a = sess.run(ddpg.a, {ddpg.S: s[None]})[0]
        a = np.clip(np.random.normal(a, 0.5), -2, 2)
        s_, r, done, _ = env.step(a[0])
        mem.append((s, a, [r], s_))
        s = s_
        bs, ba, br, bs_ = [np.array(x, np.float32) for x in zip(*mem)]
        sess.run(ddpg.atrain, {ddpg.S: bs})
        _, td = sess.run([ddpg.ctrain, ddpg.td_error], {ddpg.S: bs, ddpg.a: ba, ddpg.R: br, ddpg.S_: bs_})
    print("ddpg %.5f %.5f" % (td, a[0]))
for episode in range(2):
    s, done, ss, aa, rr = env.reset(), False, [], [], []
    while not done:
        a = np.clip(sess.run(ppo.sample_op, {ppo.tfs: s[None]})[0], -2, 2)
        s_, r, done, _ = env.step(a[0])
        ss.append(s), aa.append(a), rr.append(r)
        s = s_
    bs, ba, br = np.array(ss), np.array(aa), discounted(rr)[:, None]
    sess.run(ppo.update_oldpi_op)
    adv = sess.run(ppo.advantage, {ppo.tfs: bs, ppo.tfdc_r: br})
    for _ in range(3):
        sess.run(ppo.atrain_op, {ppo.tfs: bs, ppo.tfa: ba, ppo.tfadv: adv})
        sess.run(ppo.ctrain_op, {ppo.tfs: bs, ppo.tfdc_r: br})
    print("ppo", ["%.5f" % x for x in sess.run([ppo.aloss, ppo.closs, ppo.kl, ppo.entropy], {ppo.tfs: bs, ppo.tfa: ba, ppo.tfadv: adv, ppo.tfdc_r: br})])
