# What --shard was called before.
kb-eval --share 1/2
