#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The JSON of librasim run is what docs/run.schema.json says, whatever was run.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
schema=$srcdir/docs/run.schema.json
log=$srcdir/tests/golden/models.swf
if ! command -v python3 >/dev/null; then
	skip "the JSON of run fits its schema" "no python3"
	finish
fi

# fits FILE...: by our own check, and by python3-jsonschema where it is there
fits() {
	python3 "$srcdir/tests/cli/schema.py" "$schema" "$@"
}
# json FILE ARGUMENT...: librasim run --json
json() {
	file=$tmp/$1
	shift
	"$librasim" run --json "$@" >"$file" 2>"$tmp/err" </dev/null ||
		{ cat "$tmp/err"; return 1; }
}
sound() {
	json "$@" && fits "$file"
}

check "one policy" sound one.json --policy libra "$log"
check "three policies" sound three.json --policy libra,edf,band "$log"
check "a policy with parameters" sound params.json --policy market-cac "$log"
check "coupled, corrected, some records" sound coupled.json --last 60 \
	--execution coupled --correct --deadline-model user --size allocated \
	--keep-unrun --kill-at-estimate --budget-base run --penalty-base one "$log"
check "on nodes" sound nodes.json --policy planned \
	--nodes 4x32,8x16:mem=64000:gpu=2 "$log"
check "on equal nodes" sound equal.json --policy planned,easy --nodes 8 "$log"
from_stdin() {
	"$librasim" run --json - <"$log" >"$tmp/stdin.json" &&
		fits "$tmp/stdin.json" &&
		grep -q '"sha256": null' "$tmp/stdin.json"
}
check "standard input has no sha256" from_stdin

# Nothing is accepted, and the first record is dropped: no job begins at 0.
refused() {
	cat >"$tmp/refused.swf" <<'END'
; MaxProcs: 2
1 0 -1 0 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
2 100 -1 50 1 -1 -1 1 4000 -1 1 1 1 1 1 1 -1 -1
END
	json refused.json --policy libra --deadline-cv 0 --deadline-mean 1.5 \
		--deadline-ratio 1 "$tmp/refused.swf" && fits "$file" &&
		grep -q '"accepted": 0' "$file" &&
		grep -q '"makespan_s": null' "$file" &&
		grep -q '"utilization_pct": null' "$file"
}
check "without an accepted job there is no makespan" refused

# The workload says what was run: other options, another workload; the same one
# whatever the policies are.
workload() {
	python3 -c 'import json, sys
print(json.dumps(json.load(open(sys.argv[1]))["workload"]))' "$tmp/$1"
}
same_workload() {
	test "$(workload one.json)" = "$(workload three.json)"
}
check "the workload does not hang on the policies" same_workload
tells() {
	json a.json "$log" && workload a.json >"$tmp/a" || return 1
	for option in --execution=coupled --execution=spinning \
		--deadline-model=user --size=allocated --last=50 --keep-unrun \
		--kill-at-estimate --seed=2 --correct=0.5 --procs=300 \
		--budget-base=run --penalty-base=one --inaccuracy=50 \
		"--nodes=8 --policy=easy"; do
		# shellcheck disable=SC2086
		json b.json $option "$log" && workload b.json >"$tmp/b" || return 1
		! cmp -s "$tmp/a" "$tmp/b" || { echo "$option is not told"; return 1; }
	done
}
check "the workload tells each option" tells
sha256() {
	sum=$(sha256sum "$log" | cut -d ' ' -f 1)
	grep -q "\"sha256\": \"$sum\"" "$tmp/one.json"
}
check "sha256 is the file's" sha256

# The schema has all columns of the results in their order, and the ranges that
# the options have.
columns() {
	"$librasim" run --format csv --policy libra --kill-at-estimate \
		--ordinary 0 "$srcdir/tests/golden/round.swf" 2>/dev/null |
		head -n 1 | tr , '\n' | grep -vx seed >"$tmp/csv"
	python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
print("\n".join(n for n in s["properties"]["results"]["items"]["properties"]
                if n != "params"))' "$schema" >"$tmp/columns"
	diff "$tmp/csv" "$tmp/columns"
}
check "the schema has the columns" columns
ranges() {
	python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))["properties"]["workload"]["properties"]
names = list(s)
for n in names[names.index("near_run") + 1:]:
    print(n.replace("_", "-"), "%g" % s[n]["minimum"], "%g" % s[n]["maximum"])
' "$schema" >"$tmp/ranges"
	test -s "$tmp/ranges" || return 1
	while read -r name low high; do
		"$librasim" run --"$name"=-1 "$log" 2>&1 </dev/null |
			grep -qF -e "--$name must be from $low to $high, not -1" ||
			{ echo "$name: $low to $high"; return 1; }
	done <"$tmp/ranges"
}
check "the schema has the ranges of the options" ranges

# It would be seen: one change each, and the file does not fit.
# spoilt NAME PYTHON: a change of the value v
spoilt() {
	python3 -c 'import json, sys
v = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(v, open(sys.argv[3], "w"))' "$tmp/three.json" "$1" "$tmp/spoilt.json"
	! fits "$tmp/spoilt.json"
}
for change in 'del v["workload"]' 'v["results"] = []' \
	'v["results"][1]["policy"] = None' 'del v["results"][2]["params"]' \
	'v["results"][0]["accepted"] = 1.5' 'v["results"][0]["more"] = 1' \
	'v["results"][0]["budget"] = "much"' 'v["policy"] = "libra"' \
	'v["workload"]["sha256"] = "0"' 'v["workload"]["execution"] = "other"' \
	'v["workload"]["inaccuracy"] = 101' 'v["workload"]["seed"] = -1' \
	'v["workload"]["keep_unrun"] = 0'; do
	check "does not fit: $change" spoilt "$change"
done
finish
