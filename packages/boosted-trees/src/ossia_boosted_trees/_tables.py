"""The plugin of ossia_boosted_trees: what its modules declare. Written by `python -m ossia_core.plugins.api_table packages/boosted-trees`; do not edit."""

from ossia_core.plugins.api_table import TablePlugin, tables

plugin = TablePlugin(tables(__file__))
