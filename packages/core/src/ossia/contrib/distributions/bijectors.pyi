# Written by tools/api_stubs.py; do not edit.
from ossia_distributions.bijectors.affine import (
 Affine as Affine, AffineLinearOperator as AffineLinearOperator, AffineScalar as AffineScalar
)
from ossia_distributions.bijectors.batch_normalization import BatchNormalization as BatchNormalization
from ossia_distributions.bijectors.bijector import Bijector as Bijector
from ossia_distributions.bijectors.composition import Chain as Chain, Inline as Inline, Invert as Invert
from ossia_distributions.bijectors.conditional import ConditionalBijector as ConditionalBijector
from ossia_distributions.bijectors.elementwise import (
 AbsoluteValue as AbsoluteValue, Identity as Identity, Sigmoid as Sigmoid, Softsign as Softsign, Square as Square
)
from ossia_distributions.bijectors.masked_autoregressive import (
 MaskedAutoregressiveFlow as MaskedAutoregressiveFlow,
 masked_autoregressive_default_template as masked_autoregressive_default_template, masked_dense as masked_dense
)
from ossia_distributions.bijectors.matrices import (
 CholeskyOuterProduct as CholeskyOuterProduct, FillTriangular as FillTriangular, MatrixInverseTriL as MatrixInverseTriL,
 ScaleTriL as ScaleTriL, TransformDiagonal as TransformDiagonal
)
from ossia_distributions.bijectors.power import Exp as Exp, PowerTransform as PowerTransform
from ossia_distributions.bijectors.real_nvp import (
 RealNVP as RealNVP, real_nvp_default_template as real_nvp_default_template
)
from ossia_distributions.bijectors.reshape import Permute as Permute, Reshape as Reshape
from ossia_distributions.bijectors.shaped import (
 Gumbel as Gumbel, Kumaraswamy as Kumaraswamy, SinhArcsinh as SinhArcsinh, Softplus as Softplus
)
from ossia_distributions.bijectors.simplex import Ordered as Ordered, SoftmaxCentered as SoftmaxCentered
