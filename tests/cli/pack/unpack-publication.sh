# A publication is verified as a file, and unpacked into a store with its signatures;
# one that is cut off is said to be, and one that was bent verifies nothing.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
cp "$KB_SRC/tests/cli/sign/fixture/alice.pem" "$KB_SRC/tests/cli/sign/fixture/alice.pub" .
kb-sign alice.pem $score >/dev/null
kb-pack publish $score --date 2026-11-21 -o p.tar.gz >/dev/null
masked() {
	sed 's/[0-9a-f]\{64\}/ID/g; s/kb-[0-9a-f]\{16\}/FOLDER/g; s/kb-[0-9a-zA-Z]\{6\}\b/SCRATCH/g; s,'\''/[^'\'']*/SCRATCH,'\''SCRATCH,'
}

mkdir elsewhere && cd elsewhere
kb-verify -k ../alice.pub ../p.tar.gz >said
echo "exit $?, $(grep -c '^ok  score .* signature' said) signed, $(grep -c '^no ' said) not"
kb-pack unpack ../p.tar.gz >said
echo "exit $?, $(cut -d ' ' -f 1 said | masked | xargs)"
test "$(tail -n 1 said)" = $score && test "$(kb show @last | head -c 5)" = score &&
	kb-verify -k ../alice.pub @last >/dev/null
echo "exit $?"

for size in 200 2000
do
	head -c $size ../p.tar.gz >cut.tar.gz
	kb-verify cut.tar.gz
	kb-pack unpack --store none cut.tar.gz
	echo "exit $?"
done 2>&1 | masked
ls

tar -xzf ../p.tar.gz && chmod -R u+w kb-*
bent() {	# WHAT TARGET: the folder is packed again with TARGET in it
	tar -H pax --pax-option='delete=?time' --owner 0 --group 0 --numeric-owner -cf - "$2" | gzip -n >bent.tar.gz
	printf '\0\0\0\0\0\0\003' | dd of=bent.tar.gz bs=1 seek=3 conv=notrunc 2>/dev/null
	kb-pack unpack --store none bent.tar.gz 2>&1 | masked | grep -v '^ID '
	echo "$1"
}
folder=$(echo kb-*)
ln -s /etc/passwd $folder/link && bent "a link" $folder/link; rm $folder/link
mkdir $folder/data && echo x >$folder/data/x && bent "another folder" $folder
rm -r $folder/data && echo x >$folder/.hidden && bent "a hidden file" $folder
rm $folder/.hidden
echo '{}' >$(echo $folder/$score.*) && bent "another signature" $folder
kb-pack unpack bent.tar.gz >/dev/null && kb-verify -k ../alice.pub $score >/dev/null
echo "exit $?"
echo x >>$folder/$score/data/manifest.json && bent "another byte" $folder
kb-pack unpack --store other bent.tar.gz 2>/dev/null; test -e other; echo "exit $?"
kb-verify bent.tar.gz >said
grep -c '^no ' said
grep '^no ' said | masked
kb-verify --json bent.tar.gz | grep -o '"bundle":"[^"]*"' | tail -n 1 | masked
