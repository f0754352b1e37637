kb-verify --public-key alice.pub nosuch
