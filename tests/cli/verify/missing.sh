kb-verify nosuch
