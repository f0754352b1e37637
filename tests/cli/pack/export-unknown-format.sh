kb-pack export xls b
