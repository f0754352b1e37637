row() {
	printf '{"model": "m", "gpu": "RTX3090", "problem": "%s", "level": %s, "compiled": true, "correct": %s, "speedup": %s, "turns": 5}\n' "$@"
}
{
	row 1_a.py 2 true 1.5
	row 1_a.py 1 true 1.0
	row 2_b.py 1 false null
	row 3_c.py 1 true 1.2
} >rows.jsonl
kb-pack report --format v3 rows.jsonl >out
sed '$d' out
kb-verify $(tail -n 1 out) | sed "s/$(tail -n 1 out)/the id/g"
