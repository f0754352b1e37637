kb-report --text nosuch
