kb-baseline nosuch
