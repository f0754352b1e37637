kb-baseline --print-environment --device cuda:0,cuda:1
