/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_submit.c - what a submission is told, to the letter, and where each
 * answer begins and ends.
 *
 * At 1e9 s it is 2001-09-09T01:46:40 UTC.  Without Slurm.  Speaks TAP.
 */
#include <unistd.h>

#include "tests/plugin/site.h"

static const char libra[] = "libra_policy=libra";
static const char planned[] =
	"libra_policy=planned,libra_machine_reserve=no,libra_hold_back=0,"
	"libra_margin=0";

#define ANY_NODES(option)                                                      \
	"libra: " option " cannot be promised, as a promise is for any nodes " \
	"of the partition: leave it out"

/* What no policy is asked about.  Of zeros: a job of 60 s within 1000 s. */
static const struct {
	struct libra_host_request r;
	const char *told;
} senseless[] = {
	{{.partition = "main,side"},
	 "libra: name a single partition: a promise is for the processors of "
	 "one"},
	{{.component = true},
	 "libra: a heterogeneous job cannot have a deadline: submit its "
	 "components as separate jobs"},
	{{.layout.pinned = "--contiguous"}, ANY_NODES("--contiguous")},
	{{.nodes.exclusive = true}, ANY_NODES("--exclusive")},
	{{.nodes.list = "n0"}, ANY_NODES("--nodelist")},
	{{.nodes.exclude = "n0"}, ANY_NODES("--exclude")},
	{{.gpu.any = true},
	 "libra: --gres and --gpus cannot have a deadline yet, as a promise is "
	 "for processors: leave the deadline out, or what is no processor"},
	{{.unread.option = "--comment", .unread.longest = 1024},
	 "libra: --comment is longer than the 1024 characters that are read: "
	 "shorten it"},
	{{.times.estimate_s = NAN},
	 "libra: a job with a deadline needs an estimate of its run time: give "
	 "--time=TIME"},
	{{.times.estimate_s = INFINITY},
	 "libra: --time is the estimate of the run time: it must be positive "
	 "and not unlimited"},
	{{.times.estimate_s = -1},
	 "libra: --time is the estimate of the run time: it must be positive "
	 "and not unlimited"},
	{{.credits.budget = NAN},
	 "libra: --budget and --penalty-rate must be numbers of credits >= 0"},
	{{.credits.penalty_rate = NAN},
	 "libra: --budget and --penalty-rate must be numbers of credits >= 0"},
	{{.times.deadline_s = 1e9},
	 "libra: the deadline 01:46:40 UTC is in the past, as it is 01:46:40 "
	 "now: give a later --deadline"},
	{{.array = "1-4%2"},
	 "libra: --array with a %limit cannot have a promise for the tasks "
	 "that must wait: leave the limit out"},
	{{.array = "1-"},
	 "libra: --array must be a list of indices of at most 1000 tasks"},
	{{.array = "0-1000"},
	 "libra: --array must be a list of indices of at most 1000 tasks"},
	{{.array = "1200"},
	 "libra: --array: indices must be below 1200 (MaxArraySize)"},
};

static void test_senseless(void)
{
	char name[64];

	site_begin(libra);
	for (size_t i = 0; i < sizeof(senseless) / sizeof(*senseless); i++) {
		struct libra_host_request r = senseless[i].r;

		if (r.times.estimate_s == 0)
			r.times.estimate_s = 60;
		if (r.times.deadline_s == 0)
			r.times.deadline_s = site.now_s + 1000;
		r.size.ncpus = 1;
		snprintf(name, sizeof(name), "senseless request %zu", i + 1);
		site_ok(site_ask(0, &r) == LIBRA_HOST_UNACCEPTABLE &&
				site_says(senseless[i].told) &&
				site_counts().offers == 0,
			name);
	}
	site_ok(site_submit(0, 1, 0, 1000) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text, "must be positive"),
		"no time is no estimate");
	site_ok(site_submit(0, 1, 0.5, 0.5) == LIBRA_HOST_ACCEPTED,
		"the nearest deadline that can be is none of the past");
}

/* What Slurm holds against it, before any of ours. */
static void test_rules(void)
{
	site_begin(libra);
	site.rules.no_account = true;
	site_ok(site_submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE &&
			site.reply.account &&
			strstr(site.text,
			       "you may not submit under this account or QOS "
			       "here (your default account, its default QOS)"),
		"another's account");
	site.rules = (struct libra_host_rules){.limits.limit_s = INFINITY,
					       .no_license = true};
	site_ok(site_submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text, "names what this cluster has not"),
		"licenses that there are not");
	site.rules = (struct libra_host_rules){.limits.limit_s = INFINITY,
					       .constrained = true};
	site_ok(site_submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text,
			       "--constraint may name what all nodes"),
		"what some nodes have");
	site.rules = (struct libra_host_rules){.limits.limit_s = 1200};
	site_ok(site_submit(0, 1, 60, 1200) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 20,
		"a deadline at the end of what is permitted");
	site_ok(site_submit(0, 1, 60, 1201) == LIBRA_HOST_UNACCEPTABLE &&
			site_says(
				"libra: limits of your account or QOS end this job "
				"after 20 min, and a promised job may take until "
				"its deadline: give one that is nearer"),
		"one a second later");
	site.rules.limits.limit_s = 0;
	site_ok(site_submit(0, 1, 60, 1201) == LIBRA_HOST_ACCEPTED,
		"a limit that is not known is none");
	site.rules.limits.limit_s = 0.5;
	site_ok(site_submit(0, 1, 0.4, 1) == LIBRA_HOST_UNACCEPTABLE,
		"half a second is one");
	site.rules.limits.limit_s = 3000;
	site_ok(site_submit(0, 1, 60, 1201) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 50,
		"a longer one is the job's limit");
	site.rules = (struct libra_host_rules){.limits.limit_s = INFINITY,
					       .limits.limit_name = "MinTRES",
					       .limits.value = "cpu=4",
					       .limits.never = true};
	site_ok(site_submit(0, 1, 60, 1201) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text, "the limit MinTRES=cpu=4 of") &&
			strstr(site.text, "ask for more, or name another"),
		"a limit below which nothing runs asks for more");
	site_begin("libra_policy=planned");
	site.rules.limits.limit_s = 1200;
	site_ok(site_submit(0, 1, 1201, 9000) == LIBRA_HOST_UNACCEPTABLE &&
			site_says("libra: limits of your account or QOS end "
				  "this job after 20 min: give a shorter "
				  "--time"),
		"where starts are planned a nearer deadline is of no use");
}

/* Jobs whose QOS or partition has a deadline for them. */
static void qos_of_user(const struct libra_host_request *r, char name[64])
{
	strcpy(name, r->user == 7 ? "rt" : "");
}

static void test_defaults(void)
{
	static const char own[] =
		"libra: the job names no --deadline: 01:56:40 UTC "
		"by libra_target of its QOS";
	static const char params[] =
		"libra_policy=planned,libra_target=rt:600,slow:1-00:00:00,"
		"libra_default_deadline=side:4,libra_margin=0";
	struct libra_host_ops ops = site_ops;
	struct libra_host_request r;

	site_begin(params);
	ops.default_qos = qos_of_user;
	libra_host_fini(site.host);
	libra_host_init(site.host, &ops);
	site_configure(params);
	r = site_asking(1, 60, INFINITY);
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED &&
			site_promise(1).deadline_s == site.now_s + 600 &&
			strstr(site.text, "finish promised by 01:56:"
					  "40 UTC\n") &&
			strstr(site.text, own),
		"the target of a user's default QOS is the job's deadline");
	r.user = 8;
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK && site_says(""),
		"a QOS without one has none");
	r.qos = "slow";
	site_ok(site_ask(2, &r) == LIBRA_HOST_ACCEPTED &&
			site_promise(2).deadline_s == site.now_s + 86400,
		"a QOS that is named has its own");
	r.times.deadline_s = site.now_s + 1000;
	site_ok(site_ask(2, &r) == LIBRA_HOST_ACCEPTED &&
			site_promise(2).deadline_s == r.times.deadline_s &&
			!strstr(site.text, "names no"),
		"a user's own deadline goes before");
	r = site_asking(1, 60, INFINITY);
	r.times.estimate_s = r.times.limit_s = NAN;
	site_ok(site_ask(0, &r) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text, "give --time=TIME\n") &&
			strstr(site.text, own),
		"a job without --time is told why it needs one");
	r = site_asking(8, 1200, INFINITY);
	site_ok(site_ask(0, &r) == LIBRA_HOST_REFUSED && strstr(site.text, own),
		"a refusal names the setting of the deadline");
	r = site_asking(1, 60, INFINITY);
	r.times.begin_s = site.now_s + 3600;
	r.blocked = true;
	site_ok(site_ask(3, &r) == LIBRA_HOST_ACCEPTED &&
			site_promise(3).deadline_s == r.times.begin_s + 600,
		"a job that begins later has the same time from then on");
	r.reserved = true;
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK && site_says(""),
		"in a reservation there is no promise, and no deadline");
	r = site_asking(1, 60, INFINITY);
	r.partition = "main,side";
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK && site_says(""),
		"nor has a job of two partitions, which can get none");
	r = site_asking(1, 60, INFINITY);
	r.uncounted = "switches: leave --switches out";
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK && site_says(""),
		"nor one with an option that no promise counts");
	r = site_asking(1, 300, INFINITY);
	r.user = 8;
	r.times.limit_s = 300;
	r.partition = "side";
	site_ok(site_ask(4, &r) == LIBRA_HOST_ACCEPTED &&
			site_promise(4).deadline_s == site.now_s + 1200 &&
			strstr(site.text, "libra_default_deadline of the "
					  "partition"),
		"in a partition the deadline is a multiple of the limit");
	r.times.limit_s = r.times.estimate_s = NAN;
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK && site_says(""),
		"a job without a time limit has no deadline");
	r.user = 7;
	r.times.limit_s = r.times.estimate_s = 300;
	site_ok(site_ask(0, &r) == LIBRA_HOST_ACCEPTED &&
			strstr(site.text, own),
		"a QOS goes before a partition");
}

static void test_plain(void)
{
	struct libra_host_request r;

	site_begin(libra);
	r = site_asking(1, 60, INFINITY);
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK && site_says(""),
		"a job without a deadline is Slurm's");
	r.reserved = true;
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK && site_says(""),
		"in a reservation, too");
	r.times.deadline_s = site.now_s + 1000;
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK &&
			site_says(
				"libra: no promise in a reservation: Slurm alone "
				"handles the job's deadline and time limit"),
		"with a deadline it is told so");
	r = site_asking(1, 60, 1000);
	r.partition = "other";
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK && site_says(""),
		"a partition that there is not is Slurm's to refuse");
	r.partition = "side";
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED &&
			strncmp(site_promise(1).part.text, "side", 4) == 0,
		"the partition that is named is that of the promise");

	site_begin("libra_policy=libra,libra_no_deadline=best_effort");
	r = site_asking(1, 60, INFINITY);
	site_ok(site_ask(0, &r) == LIBRA_HOST_BEST_EFFORT && site_says(""),
		"best effort, if the site says so");
	site_begin("libra_policy=libra,libra_no_deadline=reject");
	site_ok(site_ask(0, &r) == LIBRA_HOST_UNACCEPTABLE &&
			site_says(
				"libra: this partition needs a deadline: give "
				"--deadline=TIME (for example now+2hours), and "
				"your estimate of the run time as --time"),
		"or refused");
	site_begin("libra_policy=planned,libra_no_deadline=best_effort");
	site_ok(site_ask(0, &r) == LIBRA_HOST_STOCK && site_says(""),
		"where starts are planned best effort is Slurm's order");
	site_begin("libra_policy=planned,libra_no_deadline=reject");
	site_ok(site_ask(0, &r) == LIBRA_HOST_UNACCEPTABLE,
		"and refused is refused");
}

static enum libra_host_answer tasks(const char *array, double within_s)
{
	struct libra_host_request r = site_asking(1, 1, within_s);

	r.array = array;
	return site_ask(0, &r);
}

static void test_arrays(void)
{
	site_begin(libra);
	site_ok(tasks("0-999", 1e6) == LIBRA_HOST_ACCEPTED &&
			site_counts().offers == 1000,
		"a thousand tasks are not too many");
	site_ok(tasks("1199", 1e6) == LIBRA_HOST_ACCEPTED &&
			site_counts().offers == 1001,
		"nor is the last index of all");
	site_begin(libra);
	/* Eight processors: three of each task, for all the time that is. */
	site_ok(site_submit(1, 6, 990, 1000) == LIBRA_HOST_ACCEPTED,
		"two are left");
	site_ok(tasks("1-3", 1) == LIBRA_HOST_REFUSED &&
			site_says(
				"libra: refused (no_share): 1 processor for 1 s by "
				"01:46:41 UTC needs a share of 1.00 "
				"each\n"
				"libra: earliest deadline now for all 3 tasks: "
				"2001-09-09T01:46:42+0000 (a nearer one may "
				"do)\n"
				"libra: try --deadline=now+1minutes "
				"(01:47:40 UTC)\n"
				"libra: an array gets a promise for all 3 tasks "
				"or for none"),
		"three tasks have no room: all are refused");
	site_ok(site_counts().offers == 1, "and none of them is held");
	site_ok(tasks("1-2", 1) == LIBRA_HOST_ACCEPTED &&
			site_says(
				"libra: accepted: 2 tasks, each share 1.00 of 1 "
				"processor, finish expected by "
				"01:46:41 UTC") &&
			site_promise(0).tasks == 2,
		"two have");
	site_ok(tasks("1", 1) == LIBRA_HOST_REFUSED &&
			!strstr(site.text, "array"),
		"of one task there is nothing to say of arrays");
}

static enum libra_host_answer of_user(uint32_t user, uint32_t ncpus,
				      const char *array)
{
	struct libra_host_request r = site_asking(ncpus, 1, 1000);

	r.user = user;
	r.array = array;
	return site_ask(0, &r);
}

static void test_room(void)
{
	struct libra_host_request r;

	site_begin(libra);
	site.rules.limits.limit_name = "MaxJobs";
	site.rules.limits.room = 3;
	of_user(8, 4, "1-3");
	site_ok(site_counts().offers == 3, "one user has three offers");
	site_ok(of_user(7, 1, "1-4") == LIBRA_HOST_UNACCEPTABLE &&
			of_user(7, 1, "1-3") == LIBRA_HOST_ACCEPTED,
		"of another three tasks have room for three, and four have not");
	site_ok(of_user(7, 1, NULL) == LIBRA_HOST_UNACCEPTABLE,
		"nor a fourth beside three that are no jobs yet");
	r = site_asking(1, 1, 1000);
	r.blocked = true;
	site_ok(site_ask(0, &r) == LIBRA_HOST_ACCEPTED,
		"what is held needs no room now");
	site.rules.limits.room = 5;
	site_ok(of_user(7, 2, NULL) == LIBRA_HOST_ACCEPTED,
		"three of one CPU are three of two, and leave two of five");
	site.rules.limits.room = 6;
	r = site_asking(0, 1, 1000);
	site_ok(site_ask(0, &r) == LIBRA_HOST_ACCEPTED &&
			site_ask(0, &r) == LIBRA_HOST_UNACCEPTABLE,
		"a job of no number of CPUs is one of one");

	site_begin("libra_policy=planned,libra_refused=queue");
	site.rules.limits.limit_name = "MaxJobs";
	site_ok(site_submit(0, 1, 1, 1000) == LIBRA_HOST_ORDINARY &&
			site_says(
				"libra: the limit MaxJobs has no room for one "
				"more promise\n"
				"libra: the job joins the ordinary queue WITHOUT "
				"A PROMISE: its deadline is not looked at; "
				"scancel it if it is of no use then"),
		"what has no room queues, if the site says so");
	site.rules.limits.never = true;
	site_ok(site_submit(0, 1, 1, 1000) == LIBRA_HOST_UNACCEPTABLE,
		"but not for ever");

	site_begin(libra);
	site.cpus_per_proc = 2;
	site_configure(libra);
	site.rules.limits.limit_name = "GrpTRES";
	site.rules.limits.room = 3;
	site_ok(site_submit(0, 4, 1, 1000) == LIBRA_HOST_ACCEPTED,
		"four CPUs are promised, on two cores");
	site_ok(site_submit(0, 2, 1, 1000) == LIBRA_HOST_ACCEPTED &&
			site_submit(0, 2, 1, 1000) == LIBRA_HOST_UNACCEPTABLE,
		"and are two jobs of two CPUs");
}

static void test_queue(void)
{
	struct libra_host_request r;

	site_begin(libra);
	r = site_asking(8, 1100, 1000);
	r.queue_refused = true;
	site_ok(site_ask(0, &r) == LIBRA_HOST_REFUSED,
		"by shares a user's wish to queue is not asked for");
	site_begin("libra_policy=planned,libra_refused=queue");
	r = site_asking(8, 500, 1000);
	site_ok(site_ask(0, &r) == LIBRA_HOST_ACCEPTED, "who is not refused");
	r = site_asking(8, 900, 1000);
	site_ok(site_ask(0, &r) == LIBRA_HOST_ORDINARY, "the site's is");
	r.only_promised = true;
	site_ok(site_ask(0, &r) == LIBRA_HOST_REFUSED,
		"but for who does not want it");
	r.only_promised = false;
	r.times.estimate_s = NAN;
	site_ok(site_ask(0, &r) == LIBRA_HOST_UNACCEPTABLE,
		"and what makes no sense does not queue");
	site_begin(planned);
	r = site_asking(8, 900, 1000);
	r.queue_refused = true;
	site_ok(site_ask(0, &r) == LIBRA_HOST_ACCEPTED,
		"who says that he would queue is promised what he can be");
	site_ok(site_ask(0, &r) == LIBRA_HOST_ORDINARY, "or queues");
	r.queue_refused = false;
	site_ok(site_ask(0, &r) == LIBRA_HOST_REFUSED,
		"and who says nothing is refused");
}

/* A job that is held, or begins later, is promised nothing yet. */
static void test_later(void)
{
	struct libra_host_request r;
	static const char yet[] =
		"libra: no promise yet: the job is held, depends on another or "
		"begins later; it asks for one when it may start";

	site_begin(libra);
	r = site_asking(2, 100, 1000);
	r.blocked = true;
	r.credits.budget = 7.5;
	r.credits.penalty_rate = 0.25;
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED && site_says(yet),
		"a held job is told to ask later");
	site_ok(site_counts().offers == 0 && site_promise(1).offer == 0 &&
			site_promise(1).nprocs == 2 &&
			site_promise(1).estimate_s == 100 &&
			site_promise(1).deadline_s == 1e9 + 1000 &&
			site_promise(1).budget == 7.5 &&
			site_promise(1).penalty_rate == 0.25,
		"it holds nothing, and its record has what it asks for");
	site_ok(site.told[1].estimate_s == 100 &&
			site.told[1].deadline_s == 1e9 + 1000,
		"and so have the numbers for its node");
	r.times.begin_s = site.now_s + 900;
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED && site_says(yet),
		"a begin that is just early enough");
	r.times.begin_s = site.now_s + 901;
	site_ok(site_ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
			site_says(
				"libra: even if it started at its --begin the "
				"job would end 1 s after its deadline: give an "
				"earlier --begin, a shorter --time or a later "
				"--deadline"),
		"one that is not");
	r.times.begin_s = site.now_s - 1000;
	r.times.estimate_s = 1001;
	site_ok(site_ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
			site_says(
				"libra: even if it started now the job would end "
				"1 s after its deadline: give a shorter --time "
				"or a later --deadline"),
		"one that would be late now");
	r.times.estimate_s = 1000;
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED,
		"and one that would not");
}

/* Users' estimates are corrected by their past: 100 s of 1000 s. */
static void test_corrected(void)
{
	char folder[] = "/tmp/host_submit.XXXXXX", path[64];
	struct libra_host_request r;

	site_begin(libra);
	site.folder = mkdtemp(folder);
	site_configure("libra_policy=libra,libra_correct=0.5");
	for (uint32_t id = 1; id <= 8; id++) {
		site_submit(id, 1, 1000, 90000);
		site_place(id);
		site_start(id);
		site.now_s += 100;
		libra_host_ended(site.host, id);
	}
	site.now_s = 1e9 + 10000;
	r = site_asking(1, 1000, 90000);
	r.array = "1-2";
	site_ok(site_ask(9, &r) == LIBRA_HOST_ACCEPTED &&
			strstr(site.text,
			       "\nlibra: your last jobs took less than "
			       "estimated: estimate 100 s instead of "
			       "16 min 40 s"),
		"an estimate is corrected, and that is told");
	site_ok(site_near(site_promise(9).estimate_s, 100) &&
			site_promise(9).user_estimate_s == 1000 &&
			site_near(site.told[9].estimate_s, 100),
		"its record has both");
	site_place(9);
	site_ok(site_promise(9).user_estimate_s == 1000,
		"and when the job is met, too");
	r = site_asking(8, 1000, 50);
	site_ok(site_ask(0, &r) == LIBRA_HOST_REFUSED &&
			strstr(site.text,
			       "estimate 100 s instead of 16 min 40 s"),
		"so it is if that is still too long");
	r.user = 8;
	r.times.deadline_s = site.now_s + 90000;
	site_ok(site_ask(0, &r) == LIBRA_HOST_ACCEPTED &&
			!strstr(site.text, "your last jobs"),
		"another user's is believed");
	site_end();
	snprintf(path, sizeof(path), "%s/libra_history", folder);
	unlink(path);
	site_ok(rmdir(folder) == 0, "nothing else is kept of it");
}

static void test_refused(void)
{
	site_begin(libra);
	site_ok(site_submit(1, 8, 500, 1000) == LIBRA_HOST_ACCEPTED &&
			site_says(
				"libra: accepted: share 0.50 of 8 processors, "
				"finish expected by 02:03:20 UTC") &&
			site.told[1].share == 0.5 &&
			site.told[1].rule == LIBRA_RULE_YIELD &&
			site.reply.minutes == SITE_INFINITE,
		"libra promises a share");
	site_ok(site_submit(0, 8, 600, 1000) == LIBRA_HOST_REFUSED &&
			site.reply.reason == LIBRA_REASON_NO_SHARE &&
			site_says(
				"libra: refused (no_share): 8 processors for 10 min "
				"by 02:03:20 UTC need a share of 0.60 "
				"each\n"
				"libra: earliest deadline now: "
				"2001-09-09T02:06:40+0000\n"
				"libra: try --deadline=now+21minutes "
				"(02:07:40 UTC) (a nearer one may "
				"do)"),
		"and refuses what is left no share");
	site_begin("libra_policy=band");
	site_ok(site_submit(1, 8, 500, 1000) == LIBRA_HOST_ACCEPTED &&
			site_says("libra: accepted: 8 processors, in turn by "
				  "deadline, finish expected by "
				  "02:03:20 UTC") &&
			site.told[1].share == 1 &&
			site.told[1].rule == LIBRA_RULE_DEADLINE,
		"band promises a turn");
	site_ok(site_submit(0, 8, 600, 1000) == LIBRA_HOST_REFUSED &&
			strstr(site.text, ": 8 processors for 10 min by "
					  "02:03:20 UTC\n"),
		"and says nothing of shares");
	site_begin(planned);
	site_ok(site_submit(1, 8, 500, 1000) == LIBRA_HOST_ACCEPTED &&
			site_says(
				"libra: accepted: 8 processors, planned start "
				"01:46:40 "
				"(01:54:20 at the latest), finish "
				"promised by 02:03:20 UTC") &&
			site.told[1].share == 1 &&
			site.told[1].start_s == 1e9 &&
			site_promise(1).estimate_s == 540,
		"planned promises a start, and a minute that was begun is whole");
	site_ok(site_submit(2, 8, 60, 1000) == LIBRA_HOST_ACCEPTED &&
			site.told[2].start_s > 0,
		"another one has one, too");
	site_ok(site_submit(0, 8, 600, 1000) == LIBRA_HOST_REFUSED &&
			strstr(site.text, ": 8 processors for 10 min by "
					  "02:03:20 UTC\n"),
		"what has none is refused");
	site_ok(site_place(1) == LIBRA_PLACE_HERE &&
			site_submit(0, 8, 600, 1000) == LIBRA_HOST_REFUSED &&
			strstr(site.text, ": 8 processors for 10 min by "
					  "02:03:20 UTC: 0 are free now\n"),
		"and is told how many are free, if they are too few");
}

/* Where starts are planned a job's limit is its estimate. */
static void test_limits(void)
{
	struct libra_host_request r;

	site_begin(planned);
	r = site_asking(1, 61, 10000);
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED &&
			site_promise(1).estimate_s == 120,
		"a second more than a minute is two");
	r.times.limit_s = 600;
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED &&
			site_promise(1).estimate_s == 600,
		"the limit that was asked for counts");
	r.times.limit_s = 0;
	r.times.estimate_s = NAN;
	site_ok(site_ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text, "needs an estimate"),
		"none is none");
	r.times.estimate_s = -60;
	site_ok(site_ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text, "must be positive"),
		"and less than none is not a minute");
	r = site_asking(1, 540, 1000);
	site.rules.limits.limit_s = 540;
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED,
		"what limits of accounts permit is the estimate's");
	r.times.estimate_s = 541;
	site_ok(site_ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text, "end this job after 9 min"),
		"and a minute more is too much");
	r = site_asking(1, 60, 1000);
	r.layout.pinned = "--contiguous";
	site_ok(site_ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text,
			       "--contiguous cannot be promised, as a promise "
			       "is of cores, nodes, memory and GPUs only: leave "
			       "it out"),
		"odd cores are not planned");
	site_begin(libra);
	r = site_asking(1, 61, 10000);
	r.times.limit_s = 600;
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED &&
			site_promise(1).estimate_s == 61,
		"by shares an estimate is one to the second");
}

/* A limit and a signal by the deadline, and a partition's longest time. */
static void test_graces(void)
{
	struct libra_host_request r;

	site_begin("libra_policy=libra,libra_grace=600");
	site_ok(site_submit(1, 1, 60, 1200) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 30,
		"a limit is the deadline with its grace");
	r = site_asking(1, 60, 1200);
	r.times.limit_s = 60;
	r.times.signal_s = 30;
	site_ok(site_ask(2, &r) == LIBRA_HOST_ACCEPTED &&
			site.reply.signal_s == 600 &&
			strstr(site.text, "libra: --signal comes 30 s before "
					  "the deadline"),
		"a signal comes as long before the deadline");
	site_begin(libra);
	site_ok(site_ask(1, &r) == LIBRA_HOST_ACCEPTED &&
			site.reply.signal_s == 0 &&
			strstr(site.text, "libra: --signal does not come 30 s "
					  "before the deadline"),
		"or not, without a time limit");
	site_begin("libra_policy=libra,libra_grace=600");
	site.max_minutes = 25;
	site_configure("libra_policy=libra,libra_grace=600");
	site_ok(site_submit(1, 1, 60, 1200) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 25,
		"and no longer than the partition's");
	site_ok(site_submit(1, 1, 60, 1501) == LIBRA_HOST_UNACCEPTABLE &&
			site_says("libra: MaxTime of partition main ends this "
				  "job after 25 min, and a promised job may "
				  "take until its deadline: give one that is "
				  "nearer, or another partition"),
		"a deadline beyond which Slurm would end it is refused");
	site_ok(site_submit(1, 8, 1200, 1400) == LIBRA_HOST_ACCEPTED &&
			site_submit(2, 8, 900, 1000) == LIBRA_HOST_REFUSED &&
			strstr(site.text, "no deadline would be accepted now: "
					  "wait until a job ends"),
		"nor is one named that would be");
	site_begin("libra_policy=planned");
	site.max_minutes = 25;
	site_configure("libra_policy=planned");
	site_ok(site_submit(1, 1, 1500, 90000) == LIBRA_HOST_ACCEPTED,
		"a plan may be for any time, of a job that is as long as it "
		"may be");
	site_ok(site_submit(2, 1, 1501, 90000) == LIBRA_HOST_UNACCEPTABLE &&
			site_says("libra: MaxTime of partition main ends this "
				  "job after 25 min: give a shorter "
				  "--time, or another partition"),
		"not of a longer one");
}

/* A job that has just gone makes room for one that is refused. */
static void test_again(void)
{
	site_begin(libra);
	site_submit(1, 8, 900, 1000);
	site_ok(site_place(1) == LIBRA_PLACE_HERE, "a job has all there is");
	site.asked_jobs = 0;
	site_ok(site_submit(2, 8, 60, 1000) == LIBRA_HOST_ACCEPTED &&
			site.asked_jobs == 0,
		"who is accepted asks for no other job");
	site.states[1] = LIBRA_JOB_GONE;
	site_ok(site_submit(2, 8, 900, 1000) == LIBRA_HOST_ACCEPTED &&
			site.reply.reason == 0 &&
			site_says(
				"libra: accepted: share 0.90 of 8 processors, "
				"finish expected by 02:03:20 UTC"),
		"and who is refused at first is told of the second answer alone");
	site_ok(site_counts().committed == 0 && site_counts().offers == 2,
		"what is gone holds nothing");
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	test_senseless();
	test_rules();
	test_defaults();
	test_plain();
	test_arrays();
	test_room();
	test_queue();
	test_later();
	test_corrected();
	test_refused();
	test_limits();
	test_graces();
	test_again();
	site_end();
	return finish();
}
