# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.distributions import (
 Bernoulli as Bernoulli, Beta as Beta, Categorical as Categorical, Dirichlet as Dirichlet,
 DirichletMultinomial as DirichletMultinomial, Distribution as Distribution, Exponential as Exponential,
 FULLY_REPARAMETERIZED as FULLY_REPARAMETERIZED, Gamma as Gamma, Laplace as Laplace, Multinomial as Multinomial,
 NOT_REPARAMETERIZED as NOT_REPARAMETERIZED, Normal as Normal, RegisterKL as RegisterKL,
 ReparameterizationType as ReparameterizationType, StudentT as StudentT, Uniform as Uniform,
 kl_divergence as kl_divergence
)
