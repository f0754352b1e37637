kb
