# What makes rows of one model different is in their labels.
. "$KB_SRC/tests/cli/pack/fixture/several-scores"
labels() {
	echo "$*"
	export_of markdown "$@" | sed -n -e '/^$/q' -e 's/^| \([^|]* <sup>[0-9]*<.sup>\) .*/\1/p'
}
make_pair cpu
by_model gpt-4 && score base
(again baseline 's/"\(modes*\)":"eager"/"\1":"compile:default"/g' && score mode &&
	labels base mode)
(again_both 's/Fixture 3000/Fixture 4000/g' && score hardware &&
	labels base hardware)
(again_both 's/"2\.9\.0"/"2.10.0"/g' && score field &&
	labels base field)
(again_both 's/"2\.9\.0"/"2.10.0"/g; s/glibc 2.36/glibc 2.41/g' \
	's/"3\.12\.3"/"3.13.0"/g' &&
	score fields && labels base fields)
(again baseline 's/"2\.9\.0"/"2.10.0"/g' &&
	score allowed --allow-mismatch torch.version && labels base allowed)
(again evaluation 's/"kernelbench"/"paper"/g' &&
	score tolerance && labels base tolerance)
(again evaluation 's/"run_timeout_ns":60/"run_timeout_ns":70/' \
	's/"timeout":"60"/"timeout":"70"/' && score timeout &&
	labels base timeout && export_of markdown base timeout | grep policy)
(score sample --sample-id 1 && labels base sample)
make_pair cuda
score call --clock call && score device
labels call device
