# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command libra chain: jobs one after the other with one deadline.  It submits
# by sbatch, cancels by scancel, and asks sacct for ended jobs; nothing else in libra changes anything.

cli_chain_commands = \
	plugin/cli/chain/accounts.c \
	plugin/cli/chain/chain.c \
	plugin/cli/chain/chain.h \
	plugin/cli/chain/run_chain.c \
	plugin/cli/chain/state.c \
	plugin/cli/chain/submit.c
