"""Public names and ops of ossia_estimator. Written by `python -m ossia_core.plugins.api_table packages/estimator`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
