kb-sign . nosuch
