"""Programs written for TPUs, on other devices."""
