# SPDX-License-Identifier: GPL-2.0-or-later

EXTRA_DIST += \
	contrib/build-aux/cmocka-tap \
	contrib/build-aux/install-rename \
	contrib/build-aux/tap-summary \
	contrib/build-aux/write-revision \
	contrib/build-slurm \
	contrib/demo-cluster \
	contrib/fetch-traces \
	contrib/get-slurm-src \
	contrib/quickstart \
	contrib/slurm-chroot \
	contrib/slurm-matrix

# Where bash-completion looks by default.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA =
if SIM
dist_bashcompletion_DATA += contrib/completion/librasim
endif
if CLI
dist_bashcompletion_DATA += contrib/completion/libra
endif
