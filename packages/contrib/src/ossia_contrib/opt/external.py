"""Optimizers outside of the graph, which ask for losses and gradients and set the variables at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ossia as tf
from ossia_core.plugins.api_table import public


def _gradients(value: Any, variables: list[Any]) -> list[Any]:
    """Gradients of a value, zeros of variables on which it does not depend."""
    return [
        tf.zeros_like(variable) if grad is None else grad
        for grad, variable in zip(tf.gradients(value, variables), variables, strict=True)
    ]


@public("contrib.opt.ExternalOptimizerInterface")
class ExternalOptimizerInterface:
    """Minimizes a loss with an optimizer that is no part of the graph; subclasses say which in `_minimize`.

    Args:
      loss: the loss, a scalar.
      var_list: the variables to change, all trainable ones by default.
      equalities: scalars that must be zero at the minimum.
      inequalities: scalars that must not be negative there.
      var_to_bounds: for some variables the lower and the upper limit, numbers or arrays that have the variable's shape.
      **optimizer_kwargs: further arguments for the optimizer.
    """

    def __init__(
        self, loss: Any, var_list: Any = None, equalities: Any = None, inequalities: Any = None,
        var_to_bounds: Any = None, **optimizer_kwargs: Any,
    ) -> None:
        self._loss = loss
        self._equalities, self._inequalities = equalities or [], inequalities or []
        self._vars = tf.trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = None if var_to_bounds is None else self._bounds(var_to_bounds)
        self._update_placeholders = [tf.placeholder(var.dtype.base_dtype) for var in self._vars]
        self._var_updates = [
            var.assign(tf.reshape(value, var.get_shape().as_list()))
            for var, value in zip(self._vars, self._update_placeholders, strict=True)
        ]
        loss_grads = _gradients(loss, self._vars)
        equalities_grads = [_gradients(each, self._vars) for each in self._equalities]
        inequalities_grads = [_gradients(each, self._vars) for each in self._inequalities]
        self.optimizer_kwargs = optimizer_kwargs
        self._packed_var = self._pack(self._vars)
        self._packed_loss_grad = self._pack(loss_grads)
        self._packed_equality_grads = [self._pack(each) for each in equalities_grads]
        self._packed_inequality_grads = [self._pack(each) for each in inequalities_grads]
        self._packing_slices: list[slice] = []
        start = 0
        for var in self._vars:
            size = int(np.prod(var.get_shape().as_list()))
            self._packing_slices.append(slice(start, start + size))
            start += size

    def _bounds(self, var_to_bounds: Any) -> list[Any]:
        limits: list[Any] = []
        for var in self._vars:
            shape = var.get_shape().as_list()
            low, high = (-np.inf, np.inf) if var not in var_to_bounds else var_to_bounds[var][:2]
            low, high = (np.broadcast_to(each, shape).ravel().tolist() for each in (low, high))
            limits.extend(zip(low, high, strict=True))
        return limits

    def minimize(
        self, session: Any = None, feed_dict: Any = None, fetches: Any = None,
        step_callback: Callable | None = None, loss_callback: Callable | None = None, **run_kwargs: Any,
    ) -> None:
        """Minimize the loss and set the variables to where it is least.

        Args:
          session: the session, the default one by default.
          feed_dict: feeds of every run.
          fetches: what `loss_callback` gets, in this order.
          step_callback: called after each step with all variables in one vector.
          loss_callback: called with `fetches` whenever loss and gradient are asked for.
          **run_kwargs: further arguments of `session.run`.
        """
        session = session or tf.get_default_session()
        fetches = fetches or []
        nothing: Callable = lambda *_: None
        loss_callback, step_callback = loss_callback or nothing, step_callback or nothing
        loss_grad_func = self._make_eval_func(
            [self._loss, self._packed_loss_grad], session, feed_dict, fetches, loss_callback
        )
        functions = [
            self._make_eval_funcs(tensors, session, feed_dict, fetches)
            for tensors in (
                self._equalities, self._packed_equality_grads, self._inequalities, self._packed_inequality_grads
            )
        ]
        result = self._minimize(
            initial_val=session.run(self._packed_var), loss_grad_func=loss_grad_func, equality_funcs=functions[0],
            equality_grad_funcs=functions[1], inequality_funcs=functions[2], inequality_grad_funcs=functions[3],
            packed_bounds=self._packed_bounds, step_callback=step_callback, optimizer_kwargs=self.optimizer_kwargs,
        )
        values = [result[part] for part in self._packing_slices]
        session.run(
            self._var_updates, feed_dict=dict(zip(self._update_placeholders, values, strict=True)), **run_kwargs
        )

    def _minimize(
        self, initial_val: Any, loss_grad_func: Callable, equality_funcs: list, equality_grad_funcs: list,
        inequality_funcs: list, inequality_grad_funcs: list, packed_bounds: Any, step_callback: Callable,
        optimizer_kwargs: dict,
    ) -> Any:
        """Where the loss is least; for subclasses.

        Args:
          initial_val: all variables in one vector.
          loss_grad_func: loss and gradient at such a vector.
          equality_funcs, equality_grad_funcs, inequality_funcs, inequality_grad_funcs: constraints, likewise.
          packed_bounds: lower and upper limits of all elements, or None.
          step_callback: to be called with the vector after each step.
          optimizer_kwargs: as given to the constructor.
        """
        raise NotImplementedError("To use ExternalOptimizerInterface, subclass from it and implement _minimize().")

    @classmethod
    def _pack(cls, tensors: Any) -> Any:
        if not tensors:
            return None
        if len(tensors) == 1:
            return tf.reshape(tensors[0], [-1])
        return tf.concat([tf.reshape(tensor, [-1]) for tensor in tensors], 0)

    def _make_eval_func(
        self, tensors: Any, session: Any, feed_dict: Any, fetches: Any, callback: Callable | None = None
    ) -> Callable:
        """A function of the packed variables that gives the values of tensors."""
        if not isinstance(tensors, list):
            tensors = [tensors]
        count = len(tensors)

        def function(x: np.ndarray) -> Any:
            feeds = {var: x[part].reshape(var.get_shape().as_list())
                     for var, part in zip(self._vars, self._packing_slices, strict=True)}
            values = session.run([*tensors, *fetches], feed_dict={**feeds, **(feed_dict or {})})
            if callback is not None:
                callback(*values[count:])
            results = [np.asarray(value, np.float64) for value in values[:count]]
            return results if count > 1 else results[0]

        return function

    def _make_eval_funcs(
        self, tensors: Any, session: Any, feed_dict: Any, fetches: Any, callback: Callable | None = None
    ) -> list[Callable]:
        return [self._make_eval_func(tensor, session, feed_dict, fetches, callback) for tensor in tensors]


@public("contrib.opt.ScipyOptimizerInterface")
class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes with `scipy.optimize.minimize`, by default with L-BFGS-B; needs SciPy. Arguments as of
    `ExternalOptimizerInterface`; `method` and the others of `scipy.optimize.minimize` may be among them.
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(
        self, initial_val: Any, loss_grad_func: Callable, equality_funcs: list, equality_grad_funcs: list,
        inequality_funcs: list, inequality_grad_funcs: list, packed_bounds: Any, step_callback: Callable,
        optimizer_kwargs: dict,
    ) -> Any:
        try:
            import scipy.optimize  # loaded where it is used: few programs need it
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "ScipyOptimizerInterface needs SciPy: pip install 'ossia-contrib[scipy]'", name="scipy"
            ) from error
        constraints = [
            {"type": kind, "fun": function, "jac": gradient}
            for kind, functions, gradients in (
                ("eq", equality_funcs, equality_grad_funcs), ("ineq", inequality_funcs, inequality_grad_funcs)
            )
            for function, gradient in zip(functions, gradients, strict=True)
        ]
        options = {"method": self._DEFAULT_METHOD, **optimizer_kwargs}
        reserved = [name for name in ("fun", "x0", "jac", "constraints", "bounds", "callback") if name in options]
        if reserved:
            raise ValueError(
                f"Optimizer keyword arg '{reserved[0]}' is set automatically and cannot be injected manually"
            )
        result = scipy.optimize.minimize(
            loss_grad_func, np.asarray(initial_val, np.float64), jac=True, callback=step_callback,
            constraints=constraints, bounds=packed_bounds, **options,
        )
        lines = ["Optimization terminated with:", "  Message: %s", "  Objective function value: %f"]
        values = [result.message, result.fun]
        for attribute, line in (
            ("nit", "  Number of iterations: %d"), ("nfev", "  Number of functions evaluations: %d")
        ):
            if hasattr(result, attribute):
                lines.append(line)
                values.append(getattr(result, attribute))
        tf.logging.info("\n".join(lines), *values)
        return result["x"]
