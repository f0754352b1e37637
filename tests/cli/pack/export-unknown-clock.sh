kb-pack export kernelbench-baseline b --clock wall
