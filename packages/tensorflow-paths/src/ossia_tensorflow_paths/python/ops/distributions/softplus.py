"""`ops.distributions`: distributions with positive parameters that may be given as any number: the softplus counts."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_distributions.distribution import given

_distributions = tf.distributions


class BetaWithSoftplusConcentration(_distributions.Beta):
    """The beta distribution of the softplus of its concentrations."""

    def __init__(
        self, concentration1: Any, concentration0: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "BetaWithSoftplusConcentration",
    ) -> None:
        parameters = given(locals())
        with tf.name_scope(name, values=[concentration1, concentration0]) as name:
            super().__init__(
                tf.nn.softplus(concentration1, name="softplus_concentration1"),
                tf.nn.softplus(concentration0, name="softplus_concentration0"), validate_args, allow_nan_stats, name,
            )
        self._parameters = parameters


class ExponentialWithSoftplusRate(_distributions.Exponential):
    """The exponential distribution of the softplus of its rate."""

    def __init__(
        self, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "ExponentialWithSoftplusRate",
    ) -> None:
        parameters = given(locals())
        with tf.name_scope(name, values=[rate]) as name:
            super().__init__(tf.nn.softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, name)
        self._parameters = parameters


class GammaWithSoftplusConcentrationRate(_distributions.Gamma):
    """The gamma distribution of the softplus of its concentration and rate."""

    def __init__(
        self, concentration: Any, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "GammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = given(locals())
        with tf.name_scope(name, values=[concentration, rate]) as name:
            super().__init__(
                tf.nn.softplus(concentration, name="softplus_concentration"),
                tf.nn.softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, name,
            )
        self._parameters = parameters


class LaplaceWithSoftplusScale(_distributions.Laplace):
    """The Laplace distribution of the softplus of its scale."""

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "LaplaceWithSoftplusScale",
    ) -> None:
        parameters = given(locals())
        with tf.name_scope(name, values=[loc, scale]) as name:
            super().__init__(loc, tf.nn.softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name)
        self._parameters = parameters


class NormalWithSoftplusScale(_distributions.Normal):
    """The normal distribution of the softplus of its scale."""

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "NormalWithSoftplusScale",
    ) -> None:
        parameters = given(locals())
        with tf.name_scope(name, values=[scale]) as name:
            super().__init__(loc, tf.nn.softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name)
        self._parameters = parameters


class StudentTWithAbsDfSoftplusScale(_distributions.StudentT):
    """Student's t distribution of the whole part of the absolute degrees of freedom and the softplus of the scale."""

    def __init__(
        self, df: Any, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "StudentTWithAbsDfSoftplusScale",
    ) -> None:
        parameters = given(locals())
        with tf.name_scope(name, values=[df, scale]) as name:
            super().__init__(
                tf.floor(tf.abs(df)), loc, tf.nn.softplus(scale, name="softplus_scale"), validate_args,
                allow_nan_stats, name,
            )
        self._parameters = parameters
