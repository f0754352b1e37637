kb-verify
