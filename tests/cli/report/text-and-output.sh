kb-report --text -o x 1234567
