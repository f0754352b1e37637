kb-pack export csv nosuch
