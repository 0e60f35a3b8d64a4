# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim.  Its folders are its layers, from below: each may include itself and
# those that tests/layout/layers lists for it.  All but main() is a library, so
# that the tests can link it; nothing else in the project does.

if SIM
bin_PROGRAMS += librasim
noinst_LIBRARIES += sim/libsim.a
endif

sim_libsim_a_SOURCES =

include sim/base/local.mk
include sim/output/local.mk
include sim/log/local.mk
include sim/import/local.mk
include sim/report/local.mk
include sim/workload/local.mk
include sim/model/local.mk
include sim/run/local.mk
include sim/study/local.mk
include sim/market/local.mk
include sim/paper/local.mk
include sim/site/local.mk
include sim/slurm/local.mk
include sim/replay/local.mk
include sim/command/local.mk

librasim_SOURCES = sim/command/main.c
librasim_LDADD = sim/libsim.a core/libcore.la $(SIM_LIBS) -lm
