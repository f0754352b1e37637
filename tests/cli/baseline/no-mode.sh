kb-baseline x --modes ,
