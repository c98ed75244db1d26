# Written by tools/api_stubs.py; do not edit.
from ossia_distributions.bernoulli import Bernoulli as Bernoulli
from ossia_distributions.beta import Beta as Beta
from ossia_distributions.categorical import Categorical as Categorical
from ossia_distributions.dirichlet import Dirichlet as Dirichlet
from ossia_distributions.dirichlet_multinomial import DirichletMultinomial as DirichletMultinomial
from ossia_distributions.distribution import Distribution as Distribution
from ossia_distributions.divergence import RegisterKL as RegisterKL, kl_divergence as kl_divergence
from ossia_distributions.exponential import Exponential as Exponential
from ossia_distributions.gamma import Gamma as Gamma
from ossia_distributions.laplace import Laplace as Laplace
from ossia_distributions.multinomial import Multinomial as Multinomial
from ossia_distributions.normal import Normal as Normal
from ossia_distributions.reparameterization import (
 FULLY_REPARAMETERIZED as FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED as NOT_REPARAMETERIZED,
 ReparameterizationType as ReparameterizationType
)
from ossia_distributions.student_t import StudentT as StudentT
from ossia_distributions.uniform import Uniform as Uniform
