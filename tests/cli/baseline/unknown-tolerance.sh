kb-baseline x --tolerance none
