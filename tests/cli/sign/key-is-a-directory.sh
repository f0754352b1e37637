kb-sign --key . nosuch
