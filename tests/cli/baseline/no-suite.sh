kb-baseline
