# A run's configuration that would take long to parse is refused.
mkdir run
seq 9000 | sed 's/.*/%TAG !a&! b/' >run/generation_config.yaml
echo '--- {}' >>run/generation_config.yaml
kb-pack submission run
