mkdir sub
kb-pack submission sub
