/* Not in Python. */
int answer = 42;
