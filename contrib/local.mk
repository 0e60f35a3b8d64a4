# SPDX-License-Identifier: GPL-2.0-or-later

EXTRA_DIST += \
	contrib/build-aux/cmocka-tap \
	contrib/build-aux/install-rename \
	contrib/build-aux/link-test \
	contrib/build-aux/tap-summary \
	contrib/build-aux/write-revision \
	contrib/build-debs \
	contrib/build-slurm \
	contrib/container/Containerfile \
	contrib/container/Containerfile.plugins \
	contrib/container/compose.override.yml \
	contrib/crash-campaign \
	contrib/crash/judge.py \
	contrib/demo-cluster \
	contrib/draw-beside \
	contrib/draw-demo-day \
	contrib/draw-gallery \
	contrib/evidence \
	contrib/fetch-traces \
	contrib/fuzz \
	contrib/get-slurm-src \
	contrib/grafana-dashboard.json \
	contrib/load-test \
	contrib/mutate \
	contrib/mutation/bench.py \
	contrib/mutation/equivalents \
	contrib/mutation/mutants.py \
	contrib/mutation/project.py \
	contrib/mutation/score.py \
	contrib/notify-hook \
	contrib/plan-campaign \
	contrib/prometheus-alerts.yml \
	contrib/quickstart \
	contrib/site-snapshot \
	contrib/slurm-chroot \
	contrib/slurm-matrix \
	contrib/sweep-seeds

EXTRA_DIST += \
	contrib/packaging/debian/changelog \
	contrib/packaging/debian/control \
	contrib/packaging/debian/copyright \
	contrib/packaging/debian/librasim.docs \
	contrib/packaging/debian/librasim.install \
	contrib/packaging/debian/not-installed \
	contrib/packaging/debian/rules \
	contrib/packaging/debian/slurm-libra-node.docs \
	contrib/packaging/debian/slurm-libra-node.examples \
	contrib/packaging/debian/slurm-libra-node.install \
	contrib/packaging/debian/slurm-libra.docs \
	contrib/packaging/debian/slurm-libra.examples \
	contrib/packaging/debian/slurm-libra.install \
	contrib/packaging/debian/source/format \
	contrib/packaging/guix.scm \
	contrib/packaging/package.py \
	contrib/packaging/slurm-libra.logrotate \
	contrib/packaging/slurm-libra.spec

# Where bash-completion looks by default.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA =
if SIM
dist_bashcompletion_DATA += contrib/completion/librasim
endif
if CLI
dist_bashcompletion_DATA += contrib/completion/libra
endif
