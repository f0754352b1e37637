#include "fake-cuda/libcuda.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The one connection. A child of fork() has none, as with the driver. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int device_fd = -1;
static pid_t owner;
static unsigned char *stage;

static kb_cu_device retained;
static _Thread_local bool is_current;

static bool send_fd(const struct fake_request *r, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { .bytes = { 0 } };
	struct iovec iov = {
		.iov_base = (void *)(uintptr_t)r, .iov_len = sizeof(*r),
	};
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *c = &control.align;

		m.msg_control = control.bytes;
		m.msg_controllen = sizeof(control.bytes);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	return sendmsg(device_fd, &m, MSG_NOSIGNAL) == sizeof(*r);
}

static bool receive(struct fake_reply *reply, int *fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = reply, .iov_len = sizeof(*reply) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t n;

	do
		n = recvmsg(device_fd, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(*reply))
		return false;
	if (fd && CMSG_FIRSTHDR(&m))
		memcpy(fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(*fd));
	return true;
}

/* With the lock held. `fd` is sent if it is not negative, and becomes what
 * came back. */
static kb_cu_result exchange(const struct fake_request *r,
			     struct fake_reply *reply, int *fd)
{
	struct fake_reply ignored;

	if (!reply)
		reply = &ignored;
	if (!send_fd(r, fd ? *fd : -1) || !receive(reply, fd))
		return FAKE_UNKNOWN;
	return reply->result;
}

/* The GPU that is named by FAKE_BROKEN, such as "1:FILE", is broken while
 * there is such a file. */
static bool is_broken(void)
{
	const char *broken = getenv("FAKE_BROKEN");
	char *file;

	return broken && strtol(broken, &file, 10) == retained &&
	       *file == ':' && !access(file + 1, F_OK);
}

kb_cu_result link_call_with_fd(const struct fake_request *r,
			       struct fake_reply *reply, int *fd)
{
	kb_cu_result result;

	if (is_broken())
		return FAKE_UNKNOWN;
	if (device_fd < 0 || getpid() != owner)
		return FAKE_NOT_INITIALIZED;
	if (!is_current)
		return FAKE_INVALID_CONTEXT;
	pthread_mutex_lock(&lock);
	result = exchange(r, reply, fd);
	pthread_mutex_unlock(&lock);
	return result;
}

kb_cu_result link_call(const struct fake_request *r, struct fake_reply *reply)
{
	return link_call_with_fd(r, reply, NULL);
}

kb_cu_result link_call_without_context(const struct fake_request *r,
				       struct fake_reply *reply)
{
	kb_cu_result result;

	pthread_mutex_lock(&lock);
	result = exchange(r, reply, NULL);
	pthread_mutex_unlock(&lock);
	return result;
}

kb_cu_result link_call_staged(const struct fake_request *r, const void *in,
			      void *out)
{
	kb_cu_result result;

	pthread_mutex_lock(&lock);
	if (in)
		memcpy(stage, in, r->bytes);
	result = is_current ? exchange(r, NULL, NULL) : FAKE_INVALID_CONTEXT;
	if (!result && out)
		memcpy(out, stage, r->bytes);
	pthread_mutex_unlock(&lock);
	return result;
}

/* The socket lies beside this library, under the name by which it was
 * found. */
static bool connect_device(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char *slash;
	Dl_info self;

	if (!dladdr(&owner, &self) ||
	    strlen(self.dli_fname) >= sizeof(address.sun_path) - 16)
		return false;
	strcpy(address.sun_path, self.dli_fname);
	slash = strrchr(address.sun_path, '/');
	strcpy(slash ? slash + 1 : address.sun_path, FAKE_SOCKET);

	device_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	return device_fd >= 0 &&
	       !connect(device_fd, (const struct sockaddr *)&address,
			sizeof(address));
}

static kb_cu_result open_device(void)
{
	int fd = -1;
	kb_cu_result result;

	if (!connect_device())
		return FAKE_NO_DEVICE;
	result = exchange(&(struct fake_request){ .op = FAKE_INIT }, NULL,
			  &fd);
	if (result)
		return result;
	stage = mmap(NULL, FAKE_STAGE_BYTES, PROT_READ | PROT_WRITE,
		     MAP_SHARED, fd, 0);
	close(fd);
	owner = getpid();
	return stage == MAP_FAILED ? FAKE_UNKNOWN : FAKE_OK;
}

kb_cu_result link_open(void)
{
	kb_cu_result result = FAKE_OK;

	pthread_mutex_lock(&lock);
	if (device_fd >= 0 && owner && getpid() != owner)
		result = FAKE_NOT_INITIALIZED;
	else if (!owner)
		result = open_device();
	if (result && !owner && device_fd >= 0) {
		close(device_fd);
		device_fd = -1;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

bool link_is_open(void)
{
	return owner;
}

void link_set_current(bool current)
{
	is_current = current;
}

void link_retain(kb_cu_device device)
{
	retained = device;
}
