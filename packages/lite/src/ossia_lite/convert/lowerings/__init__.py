"""Lowerings: for each op type of a graph, the operators that compute it. `ossia_lite.plugin` registers them."""
