kb help eval score
