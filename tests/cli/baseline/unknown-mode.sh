kb-baseline x --modes compile
