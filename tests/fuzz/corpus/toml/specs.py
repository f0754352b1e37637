"""A file"""
A = {
    # c
    "x": ('y' r"\z"
          """w"""),
    'n': [1, -2, True, None,],
}
B = 'it\'s \u00e9'
