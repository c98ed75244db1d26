"""The chi-squared distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_debugging.comparisons import assert_positive
from ossia_distributions.distribution import given
from ossia_distributions.gamma import Gamma
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.elementwise import floor


@public("contrib.distributions.Chi2")
class Chi2(Gamma):
    """The distribution of the sum of `df` squares of standard normal numbers.

    Args:
      df: degrees of freedom, positive floats.
      validate_args: whether runs check that they are positive.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.
    """

    parameter_names = ("df",)

    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2"
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[df]) as name:
            with control_dependencies([assert_positive(df)] if validate_args else []):
                self._df = identity(df, name="df")
            super().__init__(
                concentration=0.5 * self._df,
                rate=constant(0.5, dtype=self._df.dtype),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self._df


@public("contrib.distributions.Chi2WithAbsDf")
class Chi2WithAbsDf(Chi2):
    """Chi2 with `floor(abs(df))` degrees of freedom."""

    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2WithAbsDf"
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[df]) as name:
            super().__init__(
                df=floor(abs_op(df, name="abs_df"), name="floor_abs_df"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters
