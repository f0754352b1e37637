kb-score -e 0123456 -b 0123456 --preset speedy
