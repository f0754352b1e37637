kb-baseline x --modes compile:default
