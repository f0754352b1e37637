mkdir sub
printf 'x\n' >sub/kernel.py
kb-pack submission sub
