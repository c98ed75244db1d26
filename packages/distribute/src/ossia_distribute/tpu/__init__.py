"""Programs written for TPUs, on local devices: what they build for each core is built for each shard."""
