"""Public names and ops of ossia_schedules. Written by `python -m ossia_core.api_table packages/schedules`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_schedules", """
.cosine: train.cosine_decay train.linear_cosine_decay train.noisy_linear_cosine_decay
.cosine_restarts: train.cosine_decay_restarts
.exponential: train.exponential_decay train.natural_exp_decay
.inverse_time: train.inverse_time_decay
.piecewise: train.piecewise_constant train.piecewise_constant_decay=piecewise_constant
.polynomial: train.polynomial_decay
""")
