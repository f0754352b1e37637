kb-report figure pie 1234567
