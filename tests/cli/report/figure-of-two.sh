kb-report figure speedups 1234567 7654321
