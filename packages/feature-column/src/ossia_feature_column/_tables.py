"""The plugin of ossia_feature_column: what its modules declare. Written by `python -m ossia_core.plugins.api_table packages/feature-column`; do not edit."""

from ossia_core.plugins.api_table import TablePlugin, tables

plugin = TablePlugin(tables(__file__))
