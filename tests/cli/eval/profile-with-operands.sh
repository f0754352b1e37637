kb-eval --profile demo suite submission
