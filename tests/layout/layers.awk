# SPDX-License-Identifier: GPL-2.0-or-later
#
# layers.awk - report includes that the table of layers forbids.
#
# awk -f layers.awk TABLE FILES INCLUDES: the table of folders, the names of all
# files, and lines "file:header" with the header in its quotes or brackets.
# Prints a complaint a line.  With -v plant=1 it prints what no file may
# include instead: lines "file header", one for each forbidden pair of folders,
# and one for each `never`.

function glob(pattern,   re)
{
	re = pattern
	gsub(/\./, "\\.", re)
	gsub(/\[!/, "[^", re)
	gsub(/\*/, "[^/]*", re)
	return "^" re "$"
}

function folder_of(file)
{
	sub(/\/[^\/]*$/, "", file)
	return file
}

FILENAME == ARGV[1] && /^[ \t]*(#|$)/ { next }

FILENAME == ARGV[1] && $1 == "never:" {
	nevers++
	never_file[nevers] = glob($2)
	never_header[nevers] = substr($3, 1, 1) == "<" ? "^" $3 "$" : \
		"^\"" $3 "\"$"
	next
}

FILENAME == ARGV[1] {
	listed[$1] = may[$1, $1] = 1
	for (i = 3; i <= NF; i++)
		may[$1, $i] = 1
	next
}

FILENAME == ARGV[2] {
	folder = folder_of($0)
	if (!(folder in listed)) {
		if (!plant)
			print $0 " is in no folder of the table"
		next
	}
	if (!(folder in any))
		any[folder] = $0
	if (/\.h$/ && !(folder in header))
		header[folder] = $0
	for (i = 1; i <= nevers; i++)
		if (!(i in barred) && $0 ~ never_file[i])
			barred[i] = $0
	next
}

!plant {
	split($0, part, ":")
	file = part[1]
	what = part[2]
	for (i = 1; i <= nevers; i++)
		if (file ~ never_file[i] && what ~ never_header[i])
			print file " must never include " what
	if (what !~ /^"(core|sim|plugin|tests)\//)
		next
	gsub(/"/, "", what)
	from = folder_of(file)
	to = folder_of(what)
	if (!(to in listed))
		print file " includes " what ", which is in no folder of the table"
	else if ((from in listed) && !((from, to) in may))
		print file " (" from ") may not include " what " (" to ")"
}

END {
	for (folder in listed)
		if (!(folder in any))
			print "the table lists " folder ", which has no files"
	for (i = 1; i <= nevers; i++)
		if (!(i in barred))
			print "no file is named by: never " never_file[i]
	if (!plant)
		exit
	for (a in any)
		for (b in header)
			if (!((a, b) in may))
				print any[a] " \"" header[b] "\""
	for (i = 1; i <= nevers; i++) {
		what = never_header[i]
		gsub(/[\^$]/, "", what)
		sub(/\(/, "", what)
		sub(/\|.*\)/, "", what)
		gsub(/\.\*/, "x", what)
		print barred[i] " " what
	}
}
