kb-report compare archives/x
