// Sends a note to a virtual destination of another process, which passes it on from its own source, and waits for it.
// SPDX-License-Identifier: Apache-2.0
//
// With a folder behind the number of packets the other process meets nobody but in the kernel's sequencer.
//
// Prints the median of the ways there and back, the one that 999 of 1000 are below, and the longest; then those of bare datagrams
// between as many threads of two processes.
#include <CoreFoundation/CoreFoundation.h>
#include <CoreMIDI/CoreMIDI.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sem_t arrived;
static MIDIEndpointRef echoes;

static UInt64 now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (UInt64)time.tv_sec * 1000000000 + (UInt64)time.tv_nsec;
}

static void passOn(const MIDIPacketList *list, void *context, void *connection) {
  (void)context;
  (void)connection;
  MIDIReceived(echoes, list);
}

static void take(const MIDIPacketList *list, void *context, void *connection) {
  (void)list;
  (void)context;
  (void)connection;
  sem_post(&arrived);
}

static int echo(void) {
  MIDIClientRef client;
  MIDIEndpointRef destination;
  if (MIDIClientCreate(CFSTR("echo"), NULL, NULL, &client) != 0
      || MIDISourceCreate(client, CFSTR("back"), &echoes) != 0
      || MIDIDestinationCreate(client, CFSTR("there"), passOn, NULL, &destination) != 0)
    return 1;
  while (getppid() != 1) sleep(1);
  return 0;
}

// The endpoint of a name; 0 where it is not there yet.
static MIDIEndpointRef named(CFStringRef wanted, ItemCount count, MIDIEndpointRef (*at)(ItemCount)) {
  MIDIEndpointRef found = 0;
  for (ItemCount index = 0; index < count && found == 0; index++) {
    CFStringRef name = NULL;
    if (MIDIObjectGetStringProperty(at(index), kMIDIPropertyName, &name) != 0) continue;
    if (CFStringCompare(name, wanted, 0) == kCFCompareEqualTo) found = at(index);
    CFRelease(name);
  }
  return found;
}

static int order(const void *first, const void *second) {
  const UInt64 a = *(const UInt64 *)first, b = *(const UInt64 *)second;
  return (a > b) - (a < b);
}

// Waits until a packet is back; false after five seconds.
static Boolean comesBack(void) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 5;
  return sem_timedwait(&arrived, &limit) == 0;
}

static void print(const char *what, UInt64 *times, size_t packets) {
  qsort(times, packets, sizeof *times, order);
  printf("%s and back, %zu of them: median %.1f us, 99.9 %% below %.1f us, worst %.1f us\n", what, packets,
         (double)times[packets / 2] / 1e3, (double)times[packets - 1 - packets / 1000] / 1e3, (double)times[packets - 1] / 1e3);
}

static void *collect(void *socket) {
  char bytes[64];
  while (recv(*(int *)socket, bytes, sizeof bytes, 0) > 0) sem_post(&arrived);
  return NULL;
}

// The floor: a datagram to a thread of another process, one back to a thread of this one, and a semaphore. Before any library's threads.
static int bare(size_t packets, UInt64 *times) {
  int ends[2];
  pthread_t thread;
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) return 1;
  const pid_t child = fork();
  if (child == 0) {
    char bytes[64];
    ssize_t size;
    while ((size = recv(ends[1], bytes, sizeof bytes, 0)) > 0) send(ends[1], bytes, (size_t)size, 0);
    _exit(0);
  }
  if (pthread_create(&thread, NULL, collect, &ends[0]) != 0) return 1;
  for (size_t index = 0; index < packets + 100; index++) {
    const UInt64 begin = now();
    if (send(ends[0], "twenty bytes of them", 20, 0) != 20 || !comesBack()) return 1;
    if (index >= 100) times[index - 100] = now() - begin;
  }
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
  shutdown(ends[0], SHUT_RDWR);
  pthread_join(thread, NULL);
  close(ends[0]);
  close(ends[1]);
  print("a bare datagram there", times, packets);
  return 0;
}

int main(int count, char **words) {
  if (count > 1 && words[1][0] == '-') return echo();
  const size_t packets = count > 1 ? (size_t)strtoul(words[1], NULL, 10) : 100000;
  UInt64 *times = calloc(packets, sizeof *times);
  sem_init(&arrived, 0, 0);
  if (!times || bare(packets, times) != 0) return 1;
  // The library's threads are not there in a fork: the other side is a separate program.
  const pid_t child = fork();
  if (child == 0) {
    if (count > 2) setenv("XDG_RUNTIME_DIR", words[2], 1);
    execl("/proc/self/exe", words[0], "-", (char *)NULL);
    _exit(127);
  }
  MIDIClientRef client;
  MIDIPortRef out, in;
  if (MIDIClientCreate(CFSTR("ask"), NULL, NULL, &client) != 0
      || MIDIOutputPortCreate(client, CFSTR("out"), &out) != 0
      || MIDIInputPortCreate(client, CFSTR("in"), take, NULL, &in) != 0)
    return 1;
  MIDIEndpointRef there = 0, back = 0;
  for (int tries = 0; tries < 12000 && (there == 0 || back == 0); tries++) {
    usleep(10000);
    there = named(CFSTR("there"), MIDIGetNumberOfDestinations(), MIDIGetDestination);
    back = named(CFSTR("back"), MIDIGetNumberOfSources(), MIDIGetSource);
  }
  if (there == 0 || back == 0) {
    fprintf(stderr, "the ports of the other process do not come: %d destinations, %d sources\n",
            (int)MIDIGetNumberOfDestinations(), (int)MIDIGetNumberOfSources());
    return 1;
  }
  if (MIDIPortConnectSource(in, back, NULL) != 0) return 1;
  Byte memory[64];
  MIDIPacketList *list = (MIDIPacketList *)(void *)memory;
  const Byte note[3] = {0x90, 60, 100};
  for (size_t index = 0; index < packets + 100; index++) {
    MIDIPacketListAdd(list, sizeof memory, MIDIPacketListInit(list), 0, sizeof note, note);
    const UInt64 begin = now();
    if (MIDISend(out, there, list) != 0) return 1;
    if (!comesBack()) {
      fprintf(stderr, "packet %zu did not come back\n", index);
      return 1;
    }
    // The first ones make the connections.
    if (index >= 100) times[index - 100] = now() - begin;
  }
  print(count > 2 ? "a packet to a virtual port through the sequencer" : "a packet to a virtual port", times, packets);
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
  free(times);
  return 0;
}
