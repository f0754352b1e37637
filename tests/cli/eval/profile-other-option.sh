# What the record decides cannot be asked for, nor can a baseline.
for other in "--trials 3" --no-build-cache "--seeds 7" "--events f" "--baseline demo"
do
	kb-eval --profile demo $other 2>&1
	echo "status $?"
done
