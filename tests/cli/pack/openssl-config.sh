# A machine's OpenSSL configuration that leaves out SHA-256 is not ours.
mkdir level1
printf 'x\n' >level1/1_x.c
cat >openssl.cnf <<'END'
openssl_conf = start
[start]
providers = all
[all]
base = one
[one]
activate = 1
END
id=$(kb-pack suite --name s level1/1_x.c)
test "$(OPENSSL_CONF=openssl.cnf kb-pack suite --name s level1/1_x.c)" = "$id"
