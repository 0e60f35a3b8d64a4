# SPDX-License-Identifier: GPL-2.0-or-later

EXTRA_DIST += \
	contrib/build-aux/cmocka-tap \
	contrib/build-aux/tap-summary \
	contrib/demo-cluster \
	contrib/fetch-traces \
	contrib/get-slurm-src \
	contrib/quickstart \
	contrib/slurm-chroot
