# SPDX-License-Identifier: GPL-2.0-or-later
#
# All but main() is a library, so that the tests can link it.

if SIM
bin_PROGRAMS += librasim
noinst_LIBRARIES += sim/libsim.a
dist_man1_MANS += sim/librasim.1
endif

sim_libsim_a_SOURCES = \
	sim/advise.c \
	sim/advise.h \
	sim/beyond.c \
	sim/beyond.h \
	sim/beyond_claims.c \
	sim/beyond_page.c \
	sim/bound.c \
	sim/bound.h \
	sim/ccgrid2008.c \
	sim/ccgrid2008.h \
	sim/ccgrid2008_claims.c \
	sim/ccgrid2008_page.c \
	sim/ccgrid2008_tables.c \
	sim/claims.c \
	sim/claims.h \
	sim/cmd_advise.c \
	sim/cmd_gen.c \
	sim/cmd_model.c \
	sim/cmd_model.h \
	sim/cmd_model_check.c \
	sim/cmd_model_fit.c \
	sim/cmd_policies.c \
	sim/cmd_replay.c \
	sim/cmd_reproduce.c \
	sim/cmd_risk.c \
	sim/cmd_run.c \
	sim/cmd_sweep.c \
	sim/cmd_trace.c \
	sim/command.c \
	sim/command.h \
	sim/correct.c \
	sim/correct.h \
	sim/evq.c \
	sim/evq.h \
	sim/exec.c \
	sim/exec.h \
	sim/exec_coupled.c \
	sim/exec_parts.c \
	sim/exec_whole.c \
	sim/fit.c \
	sim/fit.h \
	sim/fit_data.c \
	sim/fit_parts.h \
	sim/fit_search.c \
	sim/gen.c \
	sim/gen.h \
	sim/given.c \
	sim/given.h \
	sim/gof.c \
	sim/gof.h \
	sim/grid.c \
	sim/grid.h \
	sim/icpp2006.c \
	sim/icpp2006.h \
	sim/icpp2006_claims.c \
	sim/icpp2006_facts.c \
	sim/icpp2006_files.c \
	sim/icpp2006_page.c \
	sim/ipdps2007.c \
	sim/ipdps2007.h \
	sim/ipdps2007_claims.c \
	sim/ipdps2007_facts.c \
	sim/ipdps2007_files.c \
	sim/ipdps2007_judges.c \
	sim/ipdps2007_page.c \
	sim/market.c \
	sim/market.h \
	sim/market_run.c \
	sim/market_run.h \
	sim/model.c \
	sim/model.h \
	sim/model_claims.c \
	sim/model_claims.h \
	sim/model_file.c \
	sim/model_file.h \
	sim/model_plot.c \
	sim/model_plot.h \
	sim/model_size.c \
	sim/model_time.c \
	sim/model_types.h \
	sim/optimum.c \
	sim/optimum.h \
	sim/out.c \
	sim/out.h \
	sim/paper.c \
	sim/paper.h \
	sim/paper_study.c \
	sim/paper_study.h \
	sim/plot.c \
	sim/plot.h \
	sim/replay.c \
	sim/replay.h \
	sim/progress.c \
	sim/progress.h \
	sim/report.c \
	sim/report.h \
	sim/report_style.h \
	sim/resume.c \
	sim/resume.h \
	sim/result.c \
	sim/result.h \
	sim/result_file.c \
	sim/result_file.h \
	sim/risk_analysis.c \
	sim/risk_analysis.h \
	sim/risk_series.c \
	sim/risk_series.h \
	sim/rng.c \
	sim/rng.h \
	sim/run.c \
	sim/run.h \
	sim/series.c \
	sim/series.h \
	sim/study.c \
	sim/study.h \
	sim/sweep.c \
	sim/sweep.h \
	sim/swf.c \
	sim/swf.h \
	sim/synth.c \
	sim/synth.h \
	sim/trace_find.c \
	sim/trace_find.h \
	sim/trace_stats.c \
	sim/trace_stats.h \
	sim/unpack.c \
	sim/unpack.h \
	sim/workers.c \
	sim/workers.h \
	sim/workload.c \
	sim/workload.h

librasim_SOURCES = sim/main.c
librasim_LDADD = sim/libsim.a core/libcore.la $(SIM_LIBS) -lm
