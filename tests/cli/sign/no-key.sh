kb-sign nosuch
