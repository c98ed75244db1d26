"""Records to tensors: `Example` protos, CSV, JSON, Base64, raw bytes, serialised sparse tensors, fields of messages."""
