kb-pack suite /etc/passwd
