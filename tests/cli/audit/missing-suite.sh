kb-audit nosuch
