kb-baseline x --modes eager,eager
