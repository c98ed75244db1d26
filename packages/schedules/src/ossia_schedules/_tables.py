"""Public names and ops of ossia_schedules. Written by `python -m ossia_core.api_table packages/schedules`; do not edit."""

API: dict[str, str] = {
    "train.cosine_decay": "ossia_schedules.cosine:cosine_decay",
    "train.cosine_decay_restarts": "ossia_schedules.cosine_restarts:cosine_decay_restarts",
    "train.exponential_decay": "ossia_schedules.exponential:exponential_decay",
    "train.inverse_time_decay": "ossia_schedules.inverse_time:inverse_time_decay",
    "train.linear_cosine_decay": "ossia_schedules.cosine:linear_cosine_decay",
    "train.natural_exp_decay": "ossia_schedules.exponential:natural_exp_decay",
    "train.noisy_linear_cosine_decay": "ossia_schedules.cosine:noisy_linear_cosine_decay",
    "train.piecewise_constant": "ossia_schedules.piecewise:piecewise_constant",
    "train.piecewise_constant_decay": "ossia_schedules.piecewise:piecewise_constant",
    "train.polynomial_decay": "ossia_schedules.polynomial:polynomial_decay",
}
OPS: dict[str, str] = {}
