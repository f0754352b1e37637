kb-pack export csv
