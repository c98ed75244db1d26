"""What TensorBoard reads beside summaries."""
