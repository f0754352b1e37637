kb-eval --submission x
