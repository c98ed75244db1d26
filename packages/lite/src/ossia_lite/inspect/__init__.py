"""What people ask of a model: what is in it, how it looks, where its time goes, how it differs from another."""
