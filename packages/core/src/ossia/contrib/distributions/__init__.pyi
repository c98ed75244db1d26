# Written by tools/api_stubs.py; do not edit.
from . import bijectors as bijectors
from ossia_distributions.bernoulli import Bernoulli as Bernoulli
from ossia_distributions.beta import Beta as Beta
from ossia_distributions.categorical import Categorical as Categorical
from ossia_distributions.conditional import ConditionalDistribution as ConditionalDistribution
from ossia_distributions.counts.binomial import Binomial as Binomial, NegativeBinomial as NegativeBinomial
from ossia_distributions.counts.geometric import Geometric as Geometric
from ossia_distributions.counts.poisson import Poisson as Poisson
from ossia_distributions.dirichlet import Dirichlet as Dirichlet
from ossia_distributions.dirichlet_multinomial import DirichletMultinomial as DirichletMultinomial
from ossia_distributions.distribution import Distribution as Distribution
from ossia_distributions.divergence import RegisterKL as RegisterKL, kl_divergence as kl_divergence
from ossia_distributions.exponential import Exponential as Exponential
from ossia_distributions.gamma import Gamma as Gamma
from ossia_distributions.laplace import Laplace as Laplace
from ossia_distributions.mixtures.mixture import Mixture as Mixture
from ossia_distributions.mixtures.same_family import MixtureSameFamily as MixtureSameFamily
from ossia_distributions.multinomial import Multinomial as Multinomial
from ossia_distributions.normal import Normal as Normal
from ossia_distributions.one_hot.categorical import OneHotCategorical as OneHotCategorical
from ossia_distributions.one_hot.relaxed import (
 ExpRelaxedOneHotCategorical as ExpRelaxedOneHotCategorical, RelaxedBernoulli as RelaxedBernoulli,
 RelaxedOneHotCategorical as RelaxedOneHotCategorical
)
from ossia_distributions.reparameterization import (
 FULLY_REPARAMETERIZED as FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED as NOT_REPARAMETERIZED,
 ReparameterizationType as ReparameterizationType
)
from ossia_distributions.scalars.cauchy import Cauchy as Cauchy
from ossia_distributions.scalars.chi2 import Chi2 as Chi2, Chi2WithAbsDf as Chi2WithAbsDf
from ossia_distributions.scalars.deterministic import (
 Deterministic as Deterministic, VectorDeterministic as VectorDeterministic
)
from ossia_distributions.scalars.half_normal import HalfNormal as HalfNormal
from ossia_distributions.scalars.inverse_gamma import InverseGamma as InverseGamma
from ossia_distributions.scalars.kumaraswamy import Kumaraswamy as Kumaraswamy
from ossia_distributions.scalars.logistic import Logistic as Logistic
from ossia_distributions.scalars.sinh_arcsinh import SinhArcsinh as SinhArcsinh
from ossia_distributions.scalars.softplus_parameters import (
 BetaWithSoftplusConcentration as BetaWithSoftplusConcentration,
 ExponentialWithSoftplusRate as ExponentialWithSoftplusRate,
 GammaWithSoftplusConcentrationRate as GammaWithSoftplusConcentrationRate,
 InverseGammaWithSoftplusConcentrationRate as InverseGammaWithSoftplusConcentrationRate,
 LaplaceWithSoftplusScale as LaplaceWithSoftplusScale, NormalWithSoftplusScale as NormalWithSoftplusScale,
 StudentTWithAbsDfSoftplusScale as StudentTWithAbsDfSoftplusScale
)
from ossia_distributions.seed_stream import SeedStream as SeedStream
from ossia_distributions.softplus import softplus_inverse as softplus_inverse
from ossia_distributions.statistics.conjugates import (
 normal_conjugates_known_scale_posterior as normal_conjugates_known_scale_posterior,
 normal_conjugates_known_scale_predictive as normal_conjugates_known_scale_predictive
)
from ossia_distributions.statistics.correlation import auto_correlation as auto_correlation
from ossia_distributions.statistics.moving import (
 assign_log_moving_mean_exp as assign_log_moving_mean_exp, assign_moving_mean_variance as assign_moving_mean_variance,
 moving_mean_variance as moving_mean_variance
)
from ossia_distributions.statistics.percentile import percentile as percentile
from ossia_distributions.statistics.weighted import reduce_weighted_logsumexp as reduce_weighted_logsumexp
from ossia_distributions.student_t import StudentT as StudentT
from ossia_distributions.transformed import (
 ConditionalTransformedDistribution as ConditionalTransformedDistribution,
 TransformedDistribution as TransformedDistribution
)
from ossia_distributions.triangular import (
 fill_triangular as fill_triangular, fill_triangular_inverse as fill_triangular_inverse,
 matrix_diag_transform as matrix_diag_transform, tridiag as tridiag
)
from ossia_distributions.uniform import Uniform as Uniform
from ossia_distributions.vectors.exponential import (
 VectorExponentialDiag as VectorExponentialDiag, VectorLaplaceDiag as VectorLaplaceDiag
)
from ossia_distributions.vectors.multivariate_normal import (
 MultivariateNormalDiag as MultivariateNormalDiag,
 MultivariateNormalDiagPlusLowRank as MultivariateNormalDiagPlusLowRank,
 MultivariateNormalDiagWithSoftplusScale as MultivariateNormalDiagWithSoftplusScale,
 MultivariateNormalFullCovariance as MultivariateNormalFullCovariance, MultivariateNormalTriL as MultivariateNormalTriL
)
from ossia_distributions.vectors.sinh_arcsinh import VectorSinhArcsinhDiag as VectorSinhArcsinhDiag
from ossia_distributions.wrappers.autoregressive import Autoregressive as Autoregressive
from ossia_distributions.wrappers.batch_reshape import BatchReshape as BatchReshape
from ossia_distributions.wrappers.independent import Independent as Independent
from ossia_distributions.wrappers.quantized import QuantizedDistribution as QuantizedDistribution
