"""The conformance kit: golden comparisons with TensorFlow 1.15, table tests of ops and backends, a pytest plugin."""
