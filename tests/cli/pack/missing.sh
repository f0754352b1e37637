kb-pack submission nosuch
