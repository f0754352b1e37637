# A baseline whose references were compiled, with a Triton that is not here; in
# eager mode they do not depend on it.
. "$KB_SRC/tests/cli/eval/fixture/lib"
baseline=$(kb-baseline "$suite" $quick --problems 1/1 2>/dev/null |
	tail -n 1)
forge_package $baseline eager.bag triton_version 3.7.0
cp -R eager.bag compiled.bag && chmod -R u+w compiled.bag &&
	sed -i 's/"\(modes*\)":"eager"/"\1":"compile:default"/g' \
		compiled.bag/data/*.json*
(cd compiled.bag && sha256sum data/* >manifest-sha256.txt)
for mode in eager compiled
do
	tell kb-eval "$suite" "$submission" $quick --problems 1/1 \
		--baseline $mode.bag
	status=$?
	echo "$mode: $status"
done
exit $status
