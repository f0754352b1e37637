/* Takes all that there is of WHAT, and then does what it was asked for. */

/* As many as there can be; all are gone before it returns. */
static void take_processes(void)
{
	static pid_t pids[8192];
	int count = 0;

	while (count < 8192 && (pids[count] = fork()) >= 0) {
		if (!pids[count])
			for (;;)
				pause();
		count++;
	}
	for (int i = 0; i < count; i++)
		kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
}

static void take_files(void)
{
	/* Where nothing ends it, before the run's time does. */
	const time_t end = time(NULL) + 4;
	char name[32];
	int fd = 0;

	for (int i = 0; fd >= 0 && time(NULL) < end; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		fd = open(name, O_WRONLY | O_CREAT, 0600);
		close(fd);
	}
}

static void take_depth(void)
{
	for (int i = 0; i < 4000; i++)
		if (mkdir("dddddddddddddddddddddddddddddddd", 0700) < 0 ||
		    chdir("dddddddddddddddddddddddddddddddd") < 0)
			break;
}

/* Write-only folders, in each other. */
static void take_modes(void)
{
	for (int i = 0; i < 50; i++) {
		char inner[] = "m/m";

		mkdir("m", 0700);
		mkdir(inner, 0);
		chmod("m", 0);
		if (chdir("m") < 0)
			chmod("m", 0300);
	}
}

static void take_shared_memory(void)
{
	static char block[1 << 20];
	int fd = open("/dev/shm/greedy", O_WRONLY | O_CREAT, 0600);

	for (int i = 0; i < 1024; i++)
		if (write(fd, block, sizeof(block)) < 0)
			break;
}

static void take_descriptors(void)
{
	while (open("/dev/null", O_RDONLY) >= 0)
		;
}

static void take_addresses(void)
{
	while (mmap(NULL, (size_t)64 << 20, PROT_READ, MAP_PRIVATE |
		    MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED)
		;
}

/* Keys, queues and timers would be the kernel's to clear away. */
static void take_names(void)
{
	for (int i = 0; i < 200; i++) {
		syscall(SYS_add_key, "user", "greedy", "x", 1, -4);
		syscall(SYS_mq_open, "greedy", O_CREAT | O_RDWR, 0600, NULL);
		syscall(SYS_msgget, i, 01600);
		syscall(SYS_timer_create, CLOCK_MONOTONIC, NULL, NULL);
	}
}

/* Neither runs nor ends. */
static void leave_stopped(void)
{
	for (int i = 0; i < 20; i++)
		if (!fork()) {
			raise(SIGSTOP);
			_exit(0);
		}
}

static void take_log(void)
{
	for (int i = 0; i < 100000; i++)
		printf("greedy %0900d\n", 1);
}

int kb_forward(const struct kb_native_call *call)
{
	if (is_the_time())
		WHAT();
	product(call);
	return KB_NATIVE_OK;
}
