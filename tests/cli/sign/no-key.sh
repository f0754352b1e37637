kb-sign
