# What --weights names is hashed as coreutils would, recorded, part of the match
# key, and where a problem finds it.
. "$KB_SRC/tests/cli/eval/fixture/lib"
# Workers, who may be another user, read it.
chmod 755 .
mkdir -p suite/level1 weights/us/tiny
echo 3 >weights/us/tiny/scale
echo '{}' >weights/us/tiny/config.json
cat >suite/level1/1_Scaled.py <<'PY'
import os

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        with open(os.environ["KB_WEIGHTS"] + "/us/tiny/scale") as f:
            self.scale = float(f.read())

    def forward(self, x):
        return self.scale * x


def get_inputs():
    return [torch.rand(8)]


def get_init_inputs():
    return []
PY
want=$(cd weights && find -L . -mindepth 1 \( -name '.*' -o -name blobs \) -prune -o \
	-type f -printf '%P\0' | sort -z | xargs -0r sha256sum | sha256sum |
	cut -d' ' -f1)
tell kb-baseline suite $quick --weights weights || exit
statuses "$id"
for name in weights_sha256 torch.weights_sha256
do
	grep -o "\"$name\":\"[0-9a-f]*\"" "archives/$id/data/manifest.json" |
		sed "s/$want/as wanted/"
done
grep -o '"weights_[bf][a-z_]*":[0-9]*' "archives/$id/data/manifest.json"

# Without it the problem cannot be built.
tell kb-baseline suite $quick || test $? = 4 || exit
statuses "$id"
