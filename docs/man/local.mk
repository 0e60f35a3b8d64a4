# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual pages: one for each command, and for what several commands share.
# tests/cli/man.sh and tests/cli/site.sh hold them against the programs.

dist_man1_MANS =
dist_man5_MANS =
dist_man7_MANS =
dist_man8_MANS = \
	docs/man/libra-doctor.8 \
	docs/man/spank_libra.8

if SIM
dist_man1_MANS += \
	docs/man/librasim-advise.1 \
	docs/man/librasim-compare.1 \
	docs/man/librasim-explain-wait.1 \
	docs/man/librasim-gen.1 \
	docs/man/librasim-import.1 \
	docs/man/librasim-model.1 \
	docs/man/librasim-plot.1 \
	docs/man/librasim-policies.1 \
	docs/man/librasim-replay.1 \
	docs/man/librasim-report.1 \
	docs/man/librasim-reproduce.1 \
	docs/man/librasim-risk.1 \
	docs/man/librasim-run.1 \
	docs/man/librasim-sweep.1 \
	docs/man/librasim-trace.1 \
	docs/man/librasim-what-if.1 \
	docs/man/librasim-when.1 \
	docs/man/librasim.1
dist_man5_MANS += \
	docs/man/librasim-formats.5 \
	docs/man/librasim-import-formats.5
dist_man7_MANS += \
	docs/man/librasim-estimates.7 \
	docs/man/librasim-markets.7 \
	docs/man/librasim-policies.7 \
	docs/man/librasim-rules.7 \
	docs/man/librasim-slurm.7
endif

if CLI
dist_man1_MANS += \
	docs/man/libra-chain.1 \
	docs/man/libra-explain.1 \
	docs/man/libra-metrics.1 \
	docs/man/libra-notify.1 \
	docs/man/libra-report.1 \
	docs/man/libra-settings.1 \
	docs/man/libra-status.1 \
	docs/man/libra-what-if.1 \
	docs/man/libra-when.1 \
	docs/man/libra.1
dist_man5_MANS += \
	docs/man/libra-formats.5
endif

if SLURM
dist_man5_MANS += \
	docs/man/slurm-libra-settings.5
dist_man7_MANS += \
	docs/man/slurm-libra-operation.7 \
	docs/man/slurm-libra-policies.7 \
	docs/man/slurm-libra.7
endif
