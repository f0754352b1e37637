refused() {
	kb-pack export "$@" 2>why
	echo $? && head -n 1 why
}
refused csv b --clock call
refused markdown b --statistic mean
refused latex b --hardware h
refused csv b --run-name r
refused kernelbench-baseline b --baseline b
refused kernelbench-baseline b --run-name r
refused kernelbench-pass-at-k b --clock call
refused kernelbench-analysis b --statistic mean
refused leaderboard b --baseline b
refused json b --hardware h
