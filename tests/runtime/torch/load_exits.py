import sys

print("a last word")
sys.exit(0)
