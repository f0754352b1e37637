# A torch without bytecode is worth a note: every worker compiles it anew.
cat >python <<'SH'
#!/bin/sh
cat <<'JSON'
{"python_version":"3.12.3","python_implementation":"CPython","numpy_version":null,"torch_error":null,"torch_version":"2.11.0","torch_cuda_version":null,"torch_cudnn_version":null,"torch_threads_count":1,"torch_build":"built","torch_parallel":"parallel","torch_without_bytecode":"/opt/site/torch"}
JSON
SH
chmod 755 . python
kb-baseline --print-environment --python "$PWD/python" >environment 2>err
status=$?
sed -e "s|$PWD|here|" -e '/^warning: candidates run as user 0/d' err >&2
grep -c bytecode environment
# Of one with bytecode there is nothing to say.
sed -i 's|"/opt/site/torch"|null|' python
kb-baseline --print-environment --python "$PWD/python" 2>&1 >environment |
	sed '/^warning: candidates run as user 0/d'
exit $status
