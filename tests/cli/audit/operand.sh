kb-audit --suite x problem.py
