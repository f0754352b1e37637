echo '-----BEGIN OPENSSH PRIVATE KEY-----' >id
kb-sign id nosuch
echo 'ssh-ed25519 AAAA alice' >id.pub
kb-verify --public-key id.pub nosuch
