kb-score 0123456 0123456 --preset speedy
