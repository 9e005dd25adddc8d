// Bytes with open files between processes, memory they share, and many files brought to the disk at once.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "DescriptorPassing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { mostDescriptors = 72, mostThreads = 16 };

ssize_t AuricleSend(int socket, const void *bytes, size_t count, const int *descriptors,
                    size_t descriptorCount) {
  if (descriptorCount > mostDescriptors) {
    errno = EINVAL;
    return -1;
  }
  struct iovec part = {(void *)(uintptr_t)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * mostDescriptors)];
  if (descriptorCount > 0) {
    memset(control, 0, sizeof control);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptorCount);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * descriptorCount);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptorCount);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t AuricleReceive(int socket, void *bytes, size_t count, int *descriptors, size_t capacity,
                       size_t *descriptorCount) {
  *descriptorCount = 0;
  struct iovec part = {bytes, count};
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * mostDescriptors)];
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
                           .msg_controllen = sizeof control};
  ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (got < 0) return got;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < number; index++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
      if (*descriptorCount < capacity)
        descriptors[(*descriptorCount)++] = descriptor;
      else
        close(descriptor);
    }
  }
  return got;
}

int AuricleMakeSharedMemory(size_t size) {
  int descriptor = memfd_create("auricle", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, (off_t)size) != 0) {
    int saved = errno;
    close(descriptor);
    errno = saved;
    return -1;
  }
  fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return descriptor;
}

int AuricleMakeMemoryFile(void) { return memfd_create("auricle", MFD_CLOEXEC); }

int AuricleOpenBeneath(int folder, const char *path, int flags, mode_t mode) {
  struct open_how how = {.flags = (uint64_t)(flags | O_CLOEXEC),
                         .mode = flags & O_CREAT ? mode : 0,
                         .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  for (int attempt = 0; attempt < 8; attempt++) {
    long descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (descriptor >= 0) return (int)descriptor;
    // EAGAIN: something was renamed meanwhile.
    if (errno != EAGAIN) break;
  }
  if (errno != ENOSYS && errno != EPERM) return -1;
  return openat(folder, path, flags | O_CLOEXEC, mode);
}

typedef struct {
  const int *descriptors;
  int *errors;
  size_t count;
  atomic_size_t next;
} Synchronization;

static void *synchronizeSome(void *argument) {
  Synchronization *work = argument;
  while (1) {
    size_t index = atomic_fetch_add(&work->next, 1);
    if (index >= work->count) return NULL;
    int result;
    do result = fsync(work->descriptors[index]);
    while (result != 0 && errno == EINTR);
    work->errors[index] = result == 0 ? 0 : errno;
  }
}

void AuricleSynchronizeAll(const int *descriptors, size_t count, int *errors) {
  Synchronization work = {descriptors, errors, count, 0};
  pthread_t threads[mostThreads];
  size_t started = 0;
  // One at a time waits for the disk once a file; together they share its rounds.
  while (started + 1 < count && started < mostThreads &&
         pthread_create(&threads[started], NULL, synchronizeSome, &work) == 0)
    started++;
  synchronizeSome(&work);
  for (size_t index = 0; index < started; index++) pthread_join(threads[index], NULL);
}
