kb-eval --suite nosuch --submission nosuch
