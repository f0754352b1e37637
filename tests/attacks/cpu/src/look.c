#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What tests/attacks/cpu/check plants: this many bytes, the first of them so. */
#define SECRET "kb-secret-"
#define SECRET_BYTES 27

static long listed, opened, found;

static void look_into(const char *path, const struct stat *st)
{
	char text[SECRET_BYTES];
	int fd = open(path, O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		return;
	opened++;
	if (st->st_size == SECRET_BYTES &&
	    read(fd, text, sizeof(text)) == sizeof(text) &&
	    !memcmp(text, SECRET, strlen(SECRET))) {
		printf("found %s: %.*s\n", path, SECRET_BYTES, text);
		found++;
	}
	close(fd);
}

static int see(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)f;
	if (!strcmp(path, "/proc") || !strcmp(path, "/sys"))
		return FTW_SKIP_SUBTREE;
	listed++;
	if (type == FTW_F && S_ISREG(st->st_mode))
		look_into(path, st);
	return FTW_CONTINUE;
}

static void look(void)
{
	nftw("/", see, 64, FTW_PHYS | FTW_ACTIONRETVAL);
	printf("listed %ld, opened %ld, found %ld\n", listed, opened, found);
	fflush(stdout);
}

#ifdef OUTSIDE				/* of any confinement, to compare */
int main(void)
{
	look();
	return 0;
}
#else
int kb_forward(const struct kb_native_call *call)
{
	if (!listed)
		look();
	product(call);
	return KB_NATIVE_OK;
}
#endif
