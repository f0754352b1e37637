# Native problems and candidates need no Python at all.
. "$KB_SRC/tests/cli/eval/fixture/lib"
KB_PYTHON=/bin/false
export KB_PYTHON
tell kb-eval "$suite" "$submission" $quick --problems 2/1
