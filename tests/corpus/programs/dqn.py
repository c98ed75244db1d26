"""Deep Q-learning with a target network and a replay memory, on a walk of nine cells."""
import random
from collections import deque

import numpy as np
import tensorflow as tf

REPLAY_SIZE, BATCH, GAMMA = 200, 16, 0.9


class Walk(object):
    """Nine cells in a row; reward at the right end."""

    def reset(self):
        self.at, self.steps = 4, 0
        return self.state()

    def state(self):
        s = np.zeros(9)
        s[self.at] = 1
        return s

    def step(self, action):
        self.steps += 1
        self.at += 1 if action == 1 else -1
        done = self.at in (0, 8) or self.steps > 30
        return self.state(), 1.0 if self.at == 8 else -0.1, done


class DQN(object):
    def __init__(self):
        self.replay_buffer = deque()
        self.epsilon = 0.5
        self.create_networks()
        self.create_training_method()
        self.session = tf.InteractiveSession()
        self.session.run(tf.global_variables_initializer())
        self.session.run(self.copy_op)

    def network(self, state, name):
        with tf.variable_scope(name):
            c_names = [name, tf.GraphKeys.GLOBAL_VARIABLES]
            w1 = tf.get_variable("w1", [9, 12], initializer=tf.random_normal_initializer(0., 0.3), collections=c_names)
            b1 = tf.get_variable("b1", [1, 12], initializer=tf.constant_initializer(0.1), collections=c_names)
            l1 = tf.nn.relu(tf.matmul(state, w1) + b1)
            w2 = tf.get_variable("w2", [12, 2], initializer=tf.random_normal_initializer(0., 0.3), collections=c_names)
            b2 = tf.get_variable("b2", [1, 2], initializer=tf.constant_initializer(0.1), collections=c_names)
            return tf.matmul(l1, w2) + b2

    def create_networks(self):
        self.state = tf.placeholder("float", [None, 9])
        self.next_state = tf.placeholder("float", [None, 9])
        self.q_eval = self.network(self.state, "eval_net")
        self.q_next = self.network(self.next_state, "target_net")
        t, e = tf.get_collection("target_net"), tf.get_collection("eval_net")
        self.copy_op = [tf.assign(a, b) for a, b in zip(t, e)]

    def create_training_method(self):
        self.action = tf.placeholder("float", [None, 2])
        self.y = tf.placeholder("float", [None])
        q = tf.reduce_sum(tf.multiply(self.q_eval, self.action), reduction_indices=1)
        self.cost = tf.reduce_mean(tf.squared_difference(self.y, q))
        self.optimizer = tf.train.RMSPropOptimizer(0.01).minimize(
            self.cost, var_list=tf.get_collection("eval_net"))

    def egreedy(self, state):
        values = self.q_eval.eval(feed_dict={self.state: [state]})[0]
        if random.random() <= self.epsilon:
            return random.randint(0, 1)
        return int(np.argmax(values))

    def train(self):
        batch = random.sample(list(self.replay_buffer), BATCH)
        s, a, r, n, done = map(np.array, zip(*batch))
        q = self.q_next.eval(feed_dict={self.next_state: n})
        y = r + GAMMA * np.max(q, axis=1) * (1 - done)
        return self.session.run([self.optimizer, self.cost], {self.y: y, self.action: a, self.state: s})[1]


random.seed(0)
tf.set_random_seed(0)
agent, env = DQN(), Walk()
steps = 0
for episode in range(12):
    state, total, done, cost = env.reset(), 0, False, None
    while not done:
        action = agent.egreedy(state)
        onehot = np.eye(2)[action]
        after, reward, done = env.step(action)
        agent.replay_buffer.append((state, onehot, reward, after, float(done)))
        if len(agent.replay_buffer) > REPLAY_SIZE:
            agent.replay_buffer.popleft()
        if len(agent.replay_buffer) > BATCH:
            cost = agent.train()
        if steps % 20 == 0:
            agent.session.run(agent.copy_op)
        state, total, steps = after, total + reward, steps + 1
    agent.epsilon *= 0.9
    print("episode", episode, "reward %.2f" % total, "cost", "none" if cost is None else "%.4f" % cost)
print(np.round(agent.q_eval.eval({agent.state: np.eye(9)}), 2))
