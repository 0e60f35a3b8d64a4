/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_conf.c - the libra_* tokens of SchedulerParameters. */
#include <errno.h>

#include "plugin/base/conf_list.h"
#include "tests/unit/test.h"

/* What was complained about, one line each. */
static char said[4096];

static void report(void *arg, const char *text)
{
	size_t len = strlen(said);

	snprintf(said + len, sizeof(said) - len, "%s\n", text);
}

static struct libra_host_conf read_conf(const char *tokens)
{
	struct libra_host_conf conf;

	said[0] = '\0';
	assert_int_equal(libra_host_conf_init(&conf, tokens, report, NULL), 0);
	return conf;
}

static void gangs_are_taken_with_their_parameters(void **state)
{
	struct libra_host_conf conf =
		read_conf("libra_residents=3,libra_policy=band");
	int i;

	assert_string_equal(conf.policy->name, "band");
	i = libra_param_find(conf.policy->params, conf.policy->nparams,
			     "residents", NULL);
	assert_true(i >= 0);
	assert_near(conf.params[i], 3, 0);
	assert_string_equal(said, "");
	libra_host_conf_fini(&conf);
}

static void without_tokens_there_are_defaults(void **state)
{
	struct libra_host_conf conf = read_conf(NULL);

	assert_string_equal(conf.policy->name, "band");
	assert_int_equal(conf.no_deadline, LIBRA_NO_DEADLINE_STOCK);
	assert_near(conf.grace_s, INFINITY, 0);
	assert_near(conf.offer_ttl_s, 60, 0);
	assert_null(conf.log_path);
	assert_true(libra_host_conf_manages(&conf, "any"));
	assert_string_equal(said, "");
	libra_host_conf_fini(&conf);
}

static void tokens_are_read_among_those_of_slurm(void **state)
{
	struct libra_host_conf conf = read_conf(
		"bf_interval=2,libra_policy=libra,libra_partitions=a+b,"
		"libra_grace=1-02:03:04,libra_offer_ttl=90,defer,"
		"libra_log=/x/y,libra_no_deadline=reject,libra_correct=0.9");

	assert_string_equal(conf.policy->name, "libra");
	assert_true(libra_host_conf_manages(&conf, "b"));
	assert_false(libra_host_conf_manages(&conf, "c"));
	assert_near(conf.grace_s, 93784, 0);
	assert_near(conf.offer_ttl_s, 90, 0);
	assert_near(conf.correct, 0.9, 0);
	assert_string_equal(conf.log_path, "/x/y");
	assert_int_equal(conf.no_deadline, LIBRA_NO_DEADLINE_REJECT);
	assert_string_equal(said, "");
	libra_host_conf_fini(&conf);
}

static void a_wrong_value_is_named_with_the_one_used(void **state)
{
	static const struct {
		const char *token, *line;
	} bad[] = {
		{"libra_grace=nan", "libra_grace=nan: "},
		{"libra_grace=inf", "libra_grace=inf: "},
		{"libra_grace=-1", "libra_grace=-1: "},
		{"libra_grace=1:99:00", "libra_grace=1:99:00: "},
		{"libra_offer_ttl=1e999", "libra_offer_ttl=1e999: "},
		{"libra_offer_ttl=0", "libra_offer_ttl=0: "},
		{"libra_offer_ttl", "libra_offer_ttl=: "},
		{"libra_log=relative", "libra_log=relative: "},
		{"libra_correct=1", "libra_correct=1: "},
		{"libra_correct=nan", "libra_correct=nan: "},
		{"libra_correct=", "libra_correct=: "},
		{"libra_no_deadline=maybe", "libra_no_deadline=maybe: "},
		{"libra_policy=libr", "libra_policy=libr: "},
		{"libra_target=", "libra_target=: "},
		{"libra_target=rt", "libra_target=rt: "},
		{"libra_target=rt:0", "libra_target=rt:0: "},
		{"libra_target=:60", "libra_target=:60: "},
		{"libra_target=rt:60++x:5", "libra_target=rt:60++x:5: "},
		{"libra_default_deadline=0.5", "libra_default_deadline=0.5: "},
		{"libra_default_deadline=a:nan",
		 "libra_default_deadline=a:nan: "},
	};
	struct libra_host_conf conf;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		conf = read_conf(bad[i].token);
		assert_contains(said, bad[i].line);
		assert_contains(said, "; using ");
		assert_string_equal(conf.policy->name, "band");
		assert_near(conf.grace_s, INFINITY, 0);
		assert_near(conf.offer_ttl_s, 60, 0);
		assert_null(conf.log_path);
		assert_null(conf.targets);
		assert_null(conf.default_deadlines);
		libra_host_conf_fini(&conf);
	}
}

static void an_unknown_name_is_ignored(void **state)
{
	struct libra_host_conf conf = read_conf("libra_polcy=libra");

	assert_contains(said, "libra_polcy=libra: ");
	assert_contains(said, "; ignored");
	assert_string_equal(conf.policy->name, "band");
	libra_host_conf_fini(&conf);
}

static void only_policies_that_promise_for_nothing_are_taken(void **state)
{
	char token[64];
	struct libra_host_conf conf;

	for (size_t i = 0; libra_policies[i]; i++) {
		const struct libra_policy_type *p = libra_policies[i];

		snprintf(token, sizeof(token), "libra_policy=%s", p->name);
		conf = read_conf(token);
		if ((p->mode != LIBRA_SPACE || p->plans) && !p->needs_budget) {
			assert_ptr_equal(conf.policy, p);
		} else {
			assert_string_equal(conf.policy->name, "band");
			assert_contains(said, "using band");
		}
		libra_host_conf_fini(&conf);
	}
}

static void an_engine_is_the_same_by_policy_and_numbers(void **state)
{
	struct libra_host_conf a = read_conf("libra_policy=libra");
	struct libra_host_conf b =
		read_conf("libra_policy=libra,libra_grace=5,libra_log=/l");
	struct libra_host_conf c =
		read_conf("libra_policy=libra,libra_offer_ttl=5");
	struct libra_host_conf d = read_conf("");

	assert_true(libra_host_conf_same_engine(&a, &b));
	assert_false(libra_host_conf_same_engine(&a, &c));
	assert_false(libra_host_conf_same_engine(&a, &d));
	libra_host_conf_fini(&a);
	libra_host_conf_fini(&b);
	libra_host_conf_fini(&c);
	libra_host_conf_fini(&d);
}

static void where_starts_are_planned_limits_are_estimates(void **state)
{
	struct libra_host_conf conf = read_conf(
		"libra_policy=planned,libra_refused=queue,libra_grace=60");

	assert_string_equal(said, "");
	assert_true(libra_host_conf_plans(&conf));
	assert_false(libra_host_conf_in_turn(&conf));
	assert_true(conf.queue_refused);
	assert_true(isnan(conf.grace_s));
	libra_host_conf_fini(&conf);
	conf = read_conf("libra_policy=band,libra_refused=queue");
	assert_contains(said, "libra_refused=queue: this policy has no");
	assert_false(conf.queue_refused);
	libra_host_conf_fini(&conf);
	conf = read_conf("libra_policy=planned,libra_refused=perhaps");
	assert_contains(said, "must be reject or queue");
	assert_false(conf.queue_refused);
	libra_host_conf_fini(&conf);
}

static void too_many_partitions_are_cut_off(void **state)
{
	char tokens[1024] = "libra_partitions=";
	struct libra_host_conf conf;

	for (int i = 0; i < 70; i++)
		snprintf(tokens + strlen(tokens), 8, "p%d+", i);
	conf = read_conf(tokens);
	assert_int_equal(conf.npartitions, LIBRA_HOST_MAX_PARTS);
	assert_contains(said, "too many partitions");
	libra_host_conf_fini(&conf);
}

static struct libra_host_conf_list read_list(const char *tokens)
{
	struct libra_host_conf_list list;

	said[0] = '\0';
	assert_int_equal(libra_host_conf_list_init(&list, tokens, report, NULL),
			 0);
	return list;
}

static double param_of(const struct libra_host_conf *conf, const char *name)
{
	int i = libra_param_find(conf->policy->params, conf->policy->nparams,
				 name, NULL);

	assert_true(i >= 0);
	return conf->params[i];
}

static void one_policy_is_a_list_of_one(void **state)
{
	struct libra_host_conf_list list = read_list(
		"libra_policy=band,libra_partitions=a+b,libra_log=/x/l.jsonl");

	assert_int_equal(list.n, 1);
	assert_string_equal(list.confs[0].policy->name, "band");
	assert_int_equal(list.confs[0].npartitions, 2);
	assert_null(list.confs[0].label);
	assert_string_equal(list.confs[0].log_path, "/x/l.jsonl");
	assert_string_equal(said, "");
	libra_host_conf_list_fini(&list);
	list = read_list("libra_policy=band:a+b,libra_log=/x/l.jsonl");
	assert_int_equal(list.n, 1);
	assert_int_equal(list.confs[0].npartitions, 2);
	assert_null(list.confs[0].label);
	assert_string_equal(list.confs[0].log_path, "/x/l.jsonl");
	assert_string_equal(said, "");
	libra_host_conf_list_fini(&list);
}

static void groups_have_policies_and_settings_of_their_own(void **state)
{
	struct libra_host_conf_list list = read_list(
		"defer,libra_policy=band:gpu+main,demand:short,bf_interval=9,"
		"libra_residents=3,libra_overrun=0.5,libra_overrun:short=0.25,"
		"libra_grace=60,libra_grace:main=120,libra_log=/x/l.jsonl");
	const struct libra_host_conf *a = &list.confs[0], *b = a + 1;

	assert_string_equal(said, "");
	assert_int_equal(list.n, 2);
	assert_string_equal(a->policy->name, "band");
	assert_string_equal(b->policy->name, "demand");
	assert_true(libra_host_conf_manages(a, "main"));
	assert_false(libra_host_conf_manages(a, "short"));
	assert_true(libra_host_conf_manages(b, "short"));
	assert_false(libra_host_conf_manages(b, "other"));
	assert_near(param_of(a, "residents"), 3, 0);
	assert_near(param_of(a, "overrun"), 0.5, 0);
	assert_near(param_of(b, "overrun"), 0.25, 0);
	assert_near(a->grace_s, 120, 0);
	assert_near(b->grace_s, 60, 0);
	assert_string_equal(a->label, "gpu");
	assert_string_equal(a->log_path, "/x/l.gpu.jsonl");
	assert_string_equal(b->log_path, "/x/l.short.jsonl");
	libra_host_conf_list_fini(&list);
}

static void a_log_of_its_own_has_its_own_name(void **state)
{
	struct libra_host_conf_list list = read_list(
		"libra_policy=band:a,libra_policy=band:b,libra_log=/x/.log,"
		"libra_log:b=/y/z");

	assert_string_equal(said, "");
	assert_string_equal(list.confs[0].log_path, "/x/.log.a");
	assert_string_equal(list.confs[1].log_path, "/y/z");
	libra_host_conf_list_fini(&list);
	list = read_list("libra_policy=band:a,band:b,libra_log:a=/y/z,"
			 "libra_log:b=/y/z");
	assert_contains(said, "libra_log=/y/z: two policies cannot write");
	assert_string_equal(list.confs[0].log_path, "/y/z");
	assert_null(list.confs[1].log_path);
	libra_host_conf_list_fini(&list);
}

static void a_wrong_group_is_named(void **state)
{
	static const struct {
		const char *tokens, *line;
		size_t n;
	} bad[] = {
		{"libra_policy=band:a,band:b+a", "partition a is given to two",
		 2},
		{"libra_policy=band:a,band:a", "partition a is given to two",
		 1},
		{"libra_policy=band:a,band:", "no partition of its own", 1},
		{"libra_policy=band:a,libra_policy=libra",
		 "it names no partition", 1},
		{"libra_policy=band:a,band:b,libra_partitions=c",
		 "libra_policy names the partitions", 2},
		{"libra_policy=band:a,band:b,libra_grace:c=3",
		 "no policy has partition c", 2},
		{"libra_policy=band:a,band:b,libra_correct:b=0.9",
		 "cannot be set for one partition", 2},
		{"libra_policy=band:a,bamd:b", "bamd: ", 2},
		{"libra_policy=band:a,band:b,libra_grace=x",
		 "libra_grace=x: ", 2},
		{"libra_policy=band:a,band:b,libra_rubbish=1",
		 "libra_rubbish=1: ", 2},
		{"libra_policy=band:a,libra:b,libra_residents=-1",
		 "libra_residents=-1: ", 2},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_host_conf_list list = read_list(bad[i].tokens);

		assert_contains(said, bad[i].line);
		/* Once. */
		assert_null(strchr(strchr(said, '\n') + 1, '\n'));
		assert_int_equal(list.n, bad[i].n);
		libra_host_conf_list_fini(&list);
	}
}

static void jobs_without_a_deadline_may_get_one(void **state)
{
	static const struct {
		const char *tokens;
		double of_rt_s, of_main_s, of_other_s; /* of a limit of 100 s */
	} sets[] = {
		{"", INFINITY, INFINITY, INFINITY},
		{"libra_target=no,libra_default_deadline=no", INFINITY,
		 INFINITY, INFINITY},
		{"libra_target=rt:60", 60, INFINITY, INFINITY},
		{"libra_target=RT:60", 60, INFINITY, INFINITY},
		{"libra_default_deadline=Main:2", INFINITY, INFINITY, INFINITY},
		{"libra_target=x:5+rt:00:10:00", 600, INFINITY, INFINITY},
		{"defer,libra_target=x:5,rt:1-00:00:00,bf_interval=5", 86400,
		 INFINITY, INFINITY},
		{"libra_default_deadline=4", 400, 400, 400},
		{"libra_default_deadline=main:2.5,4", 250, 250, 400},
		{"libra_default_deadline=main:2+4,libra_target=rt:60", 60, 200,
		 400},
		{"libra_policy=band:main,libra:other,libra_target=rt:1,x:2,"
		 "libra_default_deadline:main=3",
		 1, 300, 300},
	};

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		struct libra_host_conf_list list = read_list(sets[i].tokens);
		const struct libra_host_conf *c = &list.confs[0];
		const char *by;

		assert_string_equal(said, "");
		assert_near(libra_host_conf_due_s(c, "rt", "main", 100, &by),
			    sets[i].of_rt_s, 0);
		assert_near(libra_host_conf_due_s(c, "", "main", 100, &by),
			    sets[i].of_main_s, 0);
		assert_near(libra_host_conf_due_s(c, "", "other", 100, &by),
			    sets[i].of_other_s, 0);
		assert_near(libra_host_conf_due_s(c, "", "main", NAN, &by),
			    INFINITY, 0);
		libra_host_conf_list_fini(&list);
	}
}

static void so_many_groups_and_no_more(void **state)
{
	char tokens[512] = "libra_policy=band:p0";
	struct libra_host_conf_list list;

	for (int i = 1; i < 17; i++)
		snprintf(tokens + strlen(tokens), 12, ",libra:p%d", i);
	list = read_list(tokens);
	assert_int_equal(list.n, LIBRA_HOST_MAX_GROUPS);
	assert_contains(said, "too many policies");
	libra_host_conf_list_fini(&list);
}

static void durations_are_seconds_or_clock_times(void **state)
{
	double s = -1;

	assert_int_equal(libra_host_parse_duration("2.5", &s), 0);
	assert_near(s, 2.5, 0);
	assert_int_equal(libra_host_parse_duration("00:10:00", &s), 0);
	assert_near(s, 600, 0);
	assert_int_equal(libra_host_parse_duration("1-00:00:01", &s), 0);
	assert_near(s, 86401, 0);
	assert_int_equal(libra_host_parse_duration("10x", &s), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(libra_host_parse_duration("", &s), -1);
	assert_near(s, 86401, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_tokens_there_are_defaults),
		cmocka_unit_test(gangs_are_taken_with_their_parameters),
		cmocka_unit_test(tokens_are_read_among_those_of_slurm),
		cmocka_unit_test(a_wrong_value_is_named_with_the_one_used),
		cmocka_unit_test(an_unknown_name_is_ignored),
		cmocka_unit_test(
			only_policies_that_promise_for_nothing_are_taken),
		cmocka_unit_test(an_engine_is_the_same_by_policy_and_numbers),
		cmocka_unit_test(where_starts_are_planned_limits_are_estimates),
		cmocka_unit_test(too_many_partitions_are_cut_off),
		cmocka_unit_test(one_policy_is_a_list_of_one),
		cmocka_unit_test(
			groups_have_policies_and_settings_of_their_own),
		cmocka_unit_test(a_log_of_its_own_has_its_own_name),
		cmocka_unit_test(a_wrong_group_is_named),
		cmocka_unit_test(jobs_without_a_deadline_may_get_one),
		cmocka_unit_test(so_many_groups_and_no_more),
		cmocka_unit_test(durations_are_seconds_or_clock_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
