echo '{}' >a.jsonl
kb-generate take a.jsonl
