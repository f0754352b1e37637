kb-report
