// A program that claims to publish a unit, and means harm: what it sends and writes is out of all bounds.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Hostile FOLDER length|memory|files|nonsense
#include "UnitLink.c"

#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

static int receiveMessage(int end, unsigned char *bytes, size_t room, int *file) {
  struct iovec part = {bytes, room};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * 8)];
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
      .msg_controllen = sizeof control};
  const ssize_t count = recvmsg(end, &message, 0);
  *file = -1;
  for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at && count > 0; at = CMSG_NXTHDR(&message, at))
    memcpy(file, CMSG_DATA(at), sizeof *file);
  return (int)count;
}

static void answer(int end, const unsigned char *asked, int claimsFiles) {
  unsigned char bytes[20] = {8};
  memcpy(bytes + 4, asked + 4, 4);
  bytes[8] = 101;
  bytes[10] = claimsFiles ? 7 : 0;
  if (write(end, bytes, sizeof bytes) < 0) _exit(1);
}

/// Waits while the turn has a number.
static void awaitTurn(Shared *shared, unsigned number) {
  atomic_store(&shared->turn.waits, 1);
  while (atomic_load(&shared->turn.value) == number)
    syscall(SYS_futex, &shared->turn.value, FUTEX_WAIT, number, NULL, NULL, 0);
}

/// Writes over all memory, but claims an answer.
static void scribble(int file, size_t size) {
  unsigned char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) _exit(2);
  Shared *shared = (Shared *)memory;
  awaitTurn(shared, 0);
  memset(memory + sizeof(Shared), 0xFF, size - sizeof(Shared));
  memset(&shared->asked, 0xFF, sizeof shared->asked);
  memset(&shared->said, 0xFF, sizeof shared->said);
  shared->saidEvents = shared->askedEvents = 0xFFFFFFFF;
  shared->said.kind = kAuricleLinkAnswer_Done;
  shared->said.status = 0;
  atomic_store(&shared->answer.value, atomic_load(&shared->turn.value));
  wake(&shared->answer);
  awaitTurn(shared, 1);
  atomic_store(&shared->answer.value, 0x80000000);
  wake(&shared->answer);
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  // Only a hang lasts so long.
  alarm(600);
  char folder[256], path[512], hidden[512];
  snprintf(folder, sizeof folder, "%s/auricle", argv[1]);
  mkdir(folder, 0700);
  snprintf(folder, sizeof folder, "%s/auricle/nodes", argv[1]);
  mkdir(folder, 0700);
  const int door = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s/h.socket", folder);
  if (bind(door, (struct sockaddr *)&address, sizeof address) != 0 || listen(door, 4) != 0) return 1;
  snprintf(path, sizeof path, "%s/h.node", folder);
  snprintf(hidden, sizeof hidden, "%s/.h", folder);
  const int entry = open(hidden, O_RDWR | O_CREAT, 0600);
  if (flock(entry, LOCK_EX) != 0) return 1;
  dprintf(entry, "[Audio Component]\nType=aurg\nSubtype=nbor\nManufacturer=Test\nName=Test: Harm\nVersion=1.0.0\n"
                 "Process=%d\nSocket=%s\n", (int)getpid(), address.sun_path);
  if (rename(hidden, path) != 0) return 1;
  unsigned char bytes[65536];
  int end, file;
  while ((end = accept(door, NULL, NULL)) >= 0) {
    if (strcmp(argv[2], "length") == 0) {
      memset(bytes, 0xFF, 4096);
      if (write(end, bytes, 4096) < 0) return 1;
    } else if (strcmp(argv[2], "nonsense") == 0) {
      static const unsigned char strange[12] = {0, 0, 0, 0, 1, 0, 0, 0, 77};
      if (write(end, strange, sizeof strange) < 0) return 1;
    }
    size_t size = 0;
    int count;
    while ((count = receiveMessage(end, bytes, sizeof bytes, &file)) > 0) {
      // Several messages may come at once: each begins with the number of its bytes behind the first 12.
      for (int at = 0; at + 12 <= count; at += 12 + bytes[at] + bytes[at + 1] * 256)
        answer(end, bytes + at, strcmp(argv[2], "files") == 0);
      if (file < 0) continue;
      struct stat status;
      fstat(file, &status);
      size = (size_t)status.st_size;
      scribble(file, size);
      break;
    }
    close(end);
    if (size) break;
  }
  return 0;
}
