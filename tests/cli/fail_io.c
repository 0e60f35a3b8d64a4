/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fail_io.c - run a command whose N-th call that changes a file fails.
 *
 *	fail_io N[+] COUNT COMMAND...
 *
 * Counted are calls of the kernel, whatever library makes them: opening for
 * writing, write, truncate, fsync, rename, mkdir; not on standard error.  The
 * N-th fails as on a full disk (N+: and all after it; 0: none), fsync as on a
 * broken one.  The file COUNT gets their number.  Programs that the command
 * starts are left alone.
 *
 * Exit status: the command's; 77 if the kernel cannot do that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#else
#define ARCH 0
#endif

#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* A call is asked about; or if it opens for writing, or is not to stderr. */
#define ASK(nr)                                                                \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1),                       \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
#define ASK_FLAGS(nr, arg)                                                     \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 4), LOAD(args[arg]),      \
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K,                           \
			 O_WRONLY | O_RDWR | O_CREAT, 0, 1),                   \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),             \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define ASK_FD(nr)                                                             \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 4), LOAD(args[0]),        \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 2, 1, 0),                  \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),             \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter rules[] = {
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	LOAD(nr),
	ASK_FD(SYS_write),
	ASK_FD(SYS_writev),
	ASK_FD(SYS_pwrite64),
	ASK_FLAGS(SYS_openat, 2),
	ASK(SYS_fsync),
	ASK(SYS_fdatasync),
	ASK(SYS_ftruncate),
	ASK(SYS_renameat),
	ASK(SYS_renameat2),
	ASK(SYS_mkdirat),
#ifdef SYS_open
	ASK_FLAGS(SYS_open, 1),
	ASK(SYS_rename),
	ASK(SYS_mkdir),
#endif
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

/* Pass a descriptor over a socket, or take one. */
static int pass(int over, int fd)
{
	char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
	struct iovec io = {&byte, 1};
	struct msghdr m = {.msg_iov = &io,
			   .msg_iovlen = 1,
			   .msg_control = room,
			   .msg_controllen = sizeof(room)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	if (fd < 0) {
		if (recvmsg(over, &m, 0) <= 0 || !CMSG_FIRSTHDR(&m))
			return -1;
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
		return fd;
	}
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(over, &m, 0) > 0 ? 0 : -1;
}

static void run(int over, char **command)
{
	struct sock_fprog all = {
		.len = sizeof(rules) / sizeof(*rules),
		.filter = rules,
	};
	int fd;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		_exit(77);
	fd = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			  SECCOMP_FILTER_FLAG_NEW_LISTENER, &all);
	if (fd < 0 || pass(over, fd) < 0)
		_exit(77);
	close(fd);
	close(over);
	execvp(command[0], command);
	_exit(127);
}

/* Does a thread run the command's own program? */
static int is_ours(pid_t child, pid_t who)
{
	char path[64], a[4096], b[4096];
	ssize_t n, m;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)child);
	n = readlink(path, a, sizeof(a));
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)who);
	m = readlink(path, b, sizeof(b));
	return n > 0 && n == m && memcmp(a, b, (size_t)n) == 0;
}

/* Result: how many calls there were. */
static long judge(int fd, pid_t child, long at, int onward)
{
	struct pollfd end = {.fd = fd, .events = POLLIN};
	struct seccomp_notif ask;
	struct seccomp_notif_resp answer;
	long n = 0;

	while (poll(&end, 1, -1) > 0 && (end.revents & POLLIN)) {
		memset(&ask, 0, sizeof(ask));
		if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &ask) < 0)
			continue;
		answer = (struct seccomp_notif_resp){
			.id = ask.id,
			.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE,
		};
		if (is_ours(child, (pid_t)ask.pid) &&
		    (++n == at || (onward && at > 0 && n > at))) {
			answer.flags = 0;
			answer.error =
				ask.data.nr == SYS_fsync ? -EIO : -ENOSPC;
		}
		ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
	return n;
}

int main(int argc, char **argv)
{
	int over[2], fd, status;
	pid_t child;
	long n;
	FILE *f;

	if (argc < 4 || ARCH == 0)
		return argc < 4 ? 99 : 77;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, over) < 0)
		return 77;
	child = fork();
	if (child < 0)
		return 77;
	if (child == 0)
		run(over[1], argv + 3);
	close(over[1]);
	fd = pass(over[0], -1);
	n = fd < 0 ? 0
		   : judge(fd, child, strtol(argv[1], NULL, 10),
			   strchr(argv[1], '+') != NULL);
	if (waitpid(child, &status, 0) < 0)
		return 99;
	f = fopen(argv[2], "w");
	if (!f || fprintf(f, "%ld\n", n) < 0 || fclose(f) != 0)
		return 99;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
