# SPDX-License-Identifier: GPL-2.0-or-later
#
# database.sh - Slurm's accounting for one test; sourced after lib.sh, not run.
#
# mariadbd and the slurmdbd of the Slurm tested on loopback, in a folder of their own that ends
# with the test.

need_database() {
	local c
	for c in mariadbd mariadb-install-db mariadb slurmdbd sacctmgr; do
		command -v $c >/dev/null || skip_all "$c is not installed"
	done
	# A Slurm that was built for the tests may lack them.
	[ "$(dirname "$(command -v sacctmgr)") $(dirname "$(command -v slurmdbd)")" = \
		"$(dirname "$(command -v sinfo)") $(dirname "$(command -v slurmctld)")" ] ||
		skip_all "slurmdbd and sacctmgr are not of the Slurm tested"
}

database= # folder
free_port() {
	python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

database_answers() {
	mariadb --no-defaults -S "$database/sock" -e 'select 1'
}
slurmdbd_answers() {
	sacctmgr -n show cluster
}

start_mariadb() {
	mariadb-install-db --no-defaults --user=mysql --skip-test-db \
		--auth-root-authentication-method=normal \
		--datadir="$database/data" >"$database/install.log" 2>&1
	mariadbd --no-defaults --user=mysql --datadir="$database/data" \
		--socket="$database/sock" --skip-networking \
		--pid-file="$database/mariadb.pid" \
		--innodb-buffer-pool-size=32M --innodb-flush-log-at-trx-commit=0 \
		>"$database/mariadb.log" 2>&1 &
	mariadb_pid=$!
	until_true 60 database_answers || return 1
	mariadb --no-defaults -S "$database/sock" -e \
		"create user slurm@localhost identified by 'slurm';
		 grant all on slurm_acct_db.* to slurm@localhost"
}

# slurmdbd speaks to MariaDB over its socket: StorageHost=localhost.
begin_slurmdbd() {
	slurmdbd_port=$(free_port)
	sed -i "s/^DbdPort=.*/DbdPort=$slurmdbd_port/" "$cluster/slurmdbd.conf"
	sed -i "s/^AccountingStoragePort=.*/AccountingStoragePort=$slurmdbd_port/" \
		"$SLURM_CONF"
	SLURM_CONF=$cluster/slurm.conf MYSQL_UNIX_PORT=$database/sock \
		slurmdbd -D >>"$cluster/log/slurmdbd.out" 2>&1 &
	slurmdbd_pid=$!
}
slurmdbd_answers_or_ended() {
	slurmdbd_answers || ! kill -0 "$slurmdbd_pid"
}

# Another program may take the port before slurmdbd does, which ends then.
start_slurmdbd() {
	local try
	cat >"$cluster/slurmdbd.conf" <<-CONF
		DbdHost=localhost
		DbdAddr=127.0.0.1
		DbdPort=
		SlurmUser=root
		AuthType=auth/munge
		AuthInfo=socket=$cluster/run/munge.socket
		StorageType=accounting_storage/mysql
		StorageHost=localhost
		StorageUser=slurm
		StoragePass=slurm
		StorageLoc=slurm_acct_db
		LogFile=$cluster/log/slurmdbd.log
		PidFile=$cluster/run/slurmdbd.pid
		PluginDir=$(scontrol show config | sed -n 's/^PluginDir *= //p')
	CONF
	chmod 0600 "$cluster/slurmdbd.conf"
	sed -i "s/^AccountingStorageType=.*/AccountingStorageType=accounting_storage\/slurmdbd\nAccountingStorageHost=127.0.0.1\nAccountingStoragePort=\nAccountingStoragePass=${cluster//\//\\/}\/run\/munge.socket\nAccountingStorageEnforce=$1/" \
		"$SLURM_CONF"
	for try in 1 2 3; do
		begin_slurmdbd
		until_true 90 slurmdbd_answers_or_ended
		slurmdbd_answers && return
		kill "$slurmdbd_pid" 2>/dev/null
		wait "$slurmdbd_pid"
		echo "slurmdbd did not answer: try $try"
	done
	return 1
}

stop_database() {
	local p
	stop_cluster
	for p in ${slurmdbd_pid-} ${mariadb_pid-}; do
		kill "$p" 2>/dev/null
	done
	wait ${slurmdbd_pid-} ${mariadb_pid-} 2>/dev/null
	[ -z "$database" ] || rm -rf "$database"
}

# Of a cluster that runs: accounting, which enforces what is named, from when
# slurmctld starts again.
start_accounting() { # ENFORCE
	database=$(mktemp -d /tmp/libra-db.XXXXXX) || return 1
	chmod 0755 "$database"
	chown mysql "$database"
	at_end=stop_database
	start_mariadb && start_slurmdbd "$1" &&
		sacctmgr -i add cluster libra >/dev/null
}

# The same as a case of the test, which ends with the logs where there is none.
need_accounting() { # ENFORCE
	local status
	start_accounting "$1" >"$cluster.db" 2>&1
	status=$?
	ok $status "slurmdbd answers"
	[ $status -eq 0 ] && return
	sed 's/^/# /' "$cluster.db" "$database/mariadb.log" \
		"$cluster/log/slurmdbd.out" "$cluster/log/slurmdbd.log"
	finish
}

# slurmctld forgets its state, and takes up the accounts.
restart_with_accounts() {
	local pid
	pid=$(cat "$cluster/run/slurmctld.pid") && kill "$pid" || return 1
	until_true 20 sh -c "! kill -0 $pid"
	# From 24.11 on this file has a ClusterID, and slurmdbd gives another.
	rm -f "$cluster/state/clustername"
	slurmctld -c -f "$SLURM_CONF" >/dev/null 2>&1
	until_true 40 all_idle
}
all_idle() {
	[ "$(sinfo -h -N -p main -t idle -o %N | wc -l)" -eq 4 ] &&
		scontrol ping | grep -q UP
}
