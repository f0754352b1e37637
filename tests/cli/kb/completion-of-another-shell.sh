kb completion csh
