"""What `tf.distributions` has, under the names of `tf.contrib.distributions`."""

import ossia as tf
from ossia_core.plugins.api_table import public_value

Bernoulli = tf.distributions.Bernoulli
Beta = tf.distributions.Beta
Categorical = tf.distributions.Categorical
Dirichlet = tf.distributions.Dirichlet
DirichletMultinomial = tf.distributions.DirichletMultinomial
Distribution = tf.distributions.Distribution
Exponential = tf.distributions.Exponential
FULLY_REPARAMETERIZED = tf.distributions.FULLY_REPARAMETERIZED
Gamma = tf.distributions.Gamma
Laplace = tf.distributions.Laplace
Multinomial = tf.distributions.Multinomial
NOT_REPARAMETERIZED = tf.distributions.NOT_REPARAMETERIZED
Normal = tf.distributions.Normal
RegisterKL = tf.distributions.RegisterKL
ReparameterizationType = tf.distributions.ReparameterizationType
StudentT = tf.distributions.StudentT
Uniform = tf.distributions.Uniform
kl_divergence = tf.distributions.kl_divergence

for _name in (
    "Bernoulli", "Beta", "Categorical", "Dirichlet", "DirichletMultinomial", "Distribution", "Exponential",
    "FULLY_REPARAMETERIZED", "Gamma", "Laplace", "Multinomial", "NOT_REPARAMETERIZED", "Normal", "RegisterKL",
    "ReparameterizationType", "StudentT", "Uniform", "kl_divergence",
):
    public_value(f"contrib.distributions.{_name}", name=_name)
