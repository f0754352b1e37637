# What makes rows of one model different is in their labels.
. "$KB_SRC/tests/cli/pack/fixture/several-scores"
labels() {
	echo "$*"
	export_of markdown "$@" | sed -n 's/^| \([^|]* <sup>[0-9]*<.sup>\) .*/\1/p'
}
make_pair cpu
by_model gpt-4 && score base
(again baseline 's/"mode":"eager"/"mode":"compile:default"/g' && score mode &&
	labels base mode)
(again_both 's/Fixture 3000/Fixture 4000/g' && score hardware &&
	labels base hardware)
(again_both 's/"torch":"2.5.0"/"torch":"2.9.0"/' && score field &&
	labels base field)
(again_both 's/"torch":"2.5.0"/"torch":"2.9.0","u":"1","v":"2"/' &&
	score fields && labels base fields)
(again baseline 's/"torch":"2.5.0"/"torch":"2.9.0"/' &&
	score allowed --allow-mismatch torch && labels base allowed)
(again evaluation 's/"policy":{}/"policy":{"tolerance":"precise"}/' &&
	score tolerance && labels base tolerance)
(again evaluation 's/"policy":{}/"policy":{"trials":7}/' && score trials &&
	labels base trials && export_of markdown base trials | grep policy)
(score sample --sample 1 && labels base sample)
make_pair cuda
score call --clock call && score device
labels call device
