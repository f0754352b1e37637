kb-baseline x --device gpu
