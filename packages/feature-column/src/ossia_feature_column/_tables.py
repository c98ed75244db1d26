"""Public names and ops of ossia_feature_column. Written by `python -m ossia_core.plugins.api_table packages/feature-column`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
