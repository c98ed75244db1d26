"""What tests of datasets share."""
