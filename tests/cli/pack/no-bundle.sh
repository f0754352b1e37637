kb-pack archive
