"""Distributions whose parameters are made positive by softplus."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.plugins.api_table import public
from ossia_distributions.beta import Beta
from ossia_distributions.distribution import given
from ossia_distributions.exponential import Exponential
from ossia_distributions.gamma import Gamma
from ossia_distributions.laplace import Laplace
from ossia_distributions.normal import Normal
from ossia_distributions.scalars.inverse_gamma import InverseGamma
from ossia_distributions.student_t import StudentT
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.elementwise import floor
from ossia_ops.nn.activation import softplus


@public("contrib.distributions.NormalWithSoftplusScale")
class NormalWithSoftplusScale(Normal):
    """Normal with `softplus(scale)`."""

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NormalWithSoftplusScale",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[scale]) as name:
            super().__init__(
                loc=loc,
                scale=softplus(scale, name="softplus_scale"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


@public("contrib.distributions.LaplaceWithSoftplusScale")
class LaplaceWithSoftplusScale(Laplace):
    """Laplace with `softplus(scale)`."""

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "LaplaceWithSoftplusScale",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[loc, scale]) as name:
            super().__init__(
                loc=loc,
                scale=softplus(scale, name="softplus_scale"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


@public("contrib.distributions.BetaWithSoftplusConcentration")
class BetaWithSoftplusConcentration(Beta):
    """Beta with softplus of both concentrations."""

    def __init__(
        self,
        concentration1: Any,
        concentration0: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "BetaWithSoftplusConcentration",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            super().__init__(
                concentration1=softplus(concentration1, name="softplus_concentration1"),
                concentration0=softplus(concentration0, name="softplus_concentration0"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


@public("contrib.distributions.ExponentialWithSoftplusRate")
class ExponentialWithSoftplusRate(Exponential):
    """Exponential with `softplus(rate)`."""

    def __init__(
        self,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExponentialWithSoftplusRate",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[rate]) as name:
            super().__init__(
                rate=softplus(rate, name="softplus_rate"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


@public("contrib.distributions.GammaWithSoftplusConcentrationRate")
class GammaWithSoftplusConcentrationRate(Gamma):
    """Gamma with softplus of concentration and rate."""

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "GammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            super().__init__(
                concentration=softplus(concentration, name="softplus_concentration"),
                rate=softplus(rate, name="softplus_rate"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


@public("contrib.distributions.InverseGammaWithSoftplusConcentrationRate")
class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """InverseGamma with softplus of concentration and rate."""

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "InverseGammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            super().__init__(
                concentration=softplus(concentration, name="softplus_concentration"),
                rate=softplus(rate, name="softplus_rate"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


@public("contrib.distributions.StudentTWithAbsDfSoftplusScale")
class StudentTWithAbsDfSoftplusScale(StudentT):
    """StudentT with `floor(abs(df))` degrees of freedom and `softplus(scale)`."""

    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentTWithAbsDfSoftplusScale",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[df, scale]) as name:
            super().__init__(
                df=floor(abs_op(df)),
                loc=loc,
                scale=softplus(scale, name="softplus_scale"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters
