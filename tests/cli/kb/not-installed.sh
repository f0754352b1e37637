mkdir bin && cp "$(command -v kb)" bin
bin/kb eval 2>&1 | sed "s,$PWD,HERE,"
bin/kb completion bash 2>&1 >/dev/null | sed "s,$PWD,HERE,"
# What is beside it is run, though it is in no list.
printf '#!/bin/sh\necho "$#: $*"\nexit 7\n' >bin/kb-own && chmod +x bin/kb-own
bin/kb own --help 'a b'
echo $?
chmod -x bin/kb-own
bin/kb own 2>&1 | sed "s,$PWD,HERE,"
bin/kb own 2>/dev/null
