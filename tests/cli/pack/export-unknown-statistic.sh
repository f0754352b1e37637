kb-pack export kernelbench-eval b --statistic mode
