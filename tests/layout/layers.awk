# SPDX-License-Identifier: GPL-2.0-or-later
#
# layers.awk - who includes what he may not.
#
# awk -f layers.awk TABLE FILES INCLUDES: the table of rooms, the names of all
# files, and lines "file:header" with the header in its quotes or brackets.
# Prints a complaint a line.  With -v plant=1 it prints what no file may
# include instead: lines "file header room", one for each forbidden pair of
# rooms, and one for each `never`.

function glob(pattern,   re)
{
	re = pattern
	gsub(/\./, "\\.", re)
	gsub(/\[!/, "[^", re)
	gsub(/\*/, "[^/]*", re)
	return "^" re "$"
}

function room_of(file,   i)
{
	if (file in known)
		return known[file]
	for (i = 1; i <= npatterns; i++)
		if (file ~ pattern[i])
			return known[file] = owner[i]
	return known[file] = ""
}

FILENAME == ARGV[1] && /^[ \t]*(#|$)/ { next }

FILENAME == ARGV[1] && $1 == "never:" {
	nevers++
	never_file[nevers] = glob($2)
	never_header[nevers] = substr($3, 1, 1) == "<" ? "^" $3 "$" : \
		"^\"" $3 "\"$"
	next
}

FILENAME == ARGV[1] && $2 == ">" {
	for (i = 3; i <= NF; i++)
		may[$1, $i] = 1
	named[$1] = 1
	next
}

FILENAME == ARGV[1] {
	room = substr($1, 1, length($1) - 1)
	rooms[room] = 1
	may[room, room] = 1
	for (i = 2; i <= NF; i++) {
		pattern[++npatterns] = glob($i)
		owner[npatterns] = room
	}
	next
}

FILENAME == ARGV[2] {
	room = room_of($0)
	if (room == "") {
		if (!plant)
			print $0 " is in no room of the table"
		next
	}
	if (!(room in any))
		any[room] = $0
	if (/\.h$/ && !(room in header))
		header[room] = $0
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
	from = room_of(file)
	to = room_of(what)
	if (to == "")
		print file " includes " what ", which is in no room"
	else if (from != "" && !((from, to) in may))
		print file " (" from ") may not include " what " (" to ")"
}

END {
	for (room in named)
		if (!(room in rooms))
			print "the table gives rights to " room \
				", which has no files"
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
