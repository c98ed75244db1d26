"""Summary ops and event files that TensorBoard reads, without TensorFlow."""
