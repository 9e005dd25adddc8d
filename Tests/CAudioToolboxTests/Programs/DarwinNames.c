// A program on functions that sources for macOS call: strings, atomics, queues, sysctl, checks, trees.
// SPDX-License-Identifier: Apache-2.0
//
// It ends with 1 and prints the first thing that is not as it must be. The same source is built as C and
// as C++.
#include <AssertMacros.h>
#include <CoreServices/CoreServices.h>
#include <dispatch/dispatch.h>
#include <libkern/OSAtomic.h>
#include <libkern/OSByteOrder.h>
#include <pthread.h>
#include <sys/sysctl.h>

#define CHECK(condition)                                                                      \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                 \
      return 1;                                                                               \
    }                                                                                         \
  } while (0)

static int second(__unused const char *first, int value) { return value; }

static int checkStrings(void) {
  char text[8] = "ab";
  void *memory = malloc(4);
  CHECK(strlcpy(text, "abcdefghij", sizeof(text)) == 10 && !strcmp(text, "abcdefg"));
  CHECK(strlcpy(text, "abc", sizeof(text)) == 3 && !strcmp(text, "abc"));
  CHECK(strlcat(text, "defghi", sizeof(text)) == 9 && !strcmp(text, "abcdefg"));
  CHECK(strlcat(text, "x", sizeof(text)) == 8 && !strcmp(text, "abcdefg"));
  CHECK(strlcpy(text, "x", 0) == 1 && !strcmp(text, "abcdefg"));
  CHECK(strlcat(text, "xyz", 3) == 6 && !strcmp(text, "abcdefg"));
  CHECK(second("first", 2) == 2);
  const UInt32 pattern = 0x01020304;
  memset_pattern4(text, &pattern, 7);
  CHECK(text[0] == 4 && text[3] == 1 && text[4] == 4 && text[6] == 2);
  memset_pattern8(text, "abcdefgh", 8);
  CHECK(!memcmp(text, "abcdefgh", 8));
  memset_pattern16(text, "ABCDEFGHIJKLMNOP", 3);
  CHECK(!memcmp(text, "ABCdefgh", 8));
#if defined(CLOCK_UPTIME_RAW)
  CHECK(clock_gettime_nsec_np(CLOCK_UPTIME_RAW) > 0 && clock_gettime_nsec_np((clockid_t)999) == 0);
#endif
  memory = reallocf(memory, 4000);
  CHECK(memory != NULL);
  free(memory);
  return 0;
}

typedef struct Block {
  long number;
  void *link;
} Block;

enum { kThreads = 4, kBlocks = 64, kRounds = 20000 };

static OSQueueHead queue = OS_ATOMIC_QUEUE_INIT;
static volatile int32_t count32;
static volatile int64_t count64;
static OSSpinLock lock = OS_SPINLOCK_INIT;
static long guarded;

static void *turn(void *context) {
  (void)context;
  for (int i = 0; i < kRounds; ++i) {
    Block *block = (Block *)OSAtomicDequeue(&queue, offsetof(Block, link));
    if (block) {
      block->number += 1;
      OSAtomicEnqueue(&queue, block, offsetof(Block, link));
    }
    OSAtomicIncrement32(&count32);
    OSAtomicAdd64Barrier(2, &count64);
    OSSpinLockLock(&lock);
    guarded += 1;
    OSSpinLockUnlock(&lock);
  }
  return NULL;
}

// Threads push and pop the same blocks: none is lost, and none is in two hands at once.
static int checkAtomics(void) {
  static Block blocks[kBlocks];
  pthread_t threads[kThreads];
  int32_t value = 5;
  uint8_t bits[2] = {0, 0};
  uint32_t mask = 0xf0;
  long turns = 0, found = 0;
  for (int i = 0; i < kBlocks; ++i) OSAtomicEnqueue(&queue, &blocks[i], offsetof(Block, link));
  CHECK(queue.opaque1 == &blocks[kBlocks - 1]);
  for (int i = 0; i < kThreads; ++i) CHECK(pthread_create(&threads[i], NULL, turn, NULL) == 0);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  while (OSAtomicDequeue(&queue, offsetof(Block, link))) found += 1;
  for (int i = 0; i < kBlocks; ++i) turns += blocks[i].number;
  CHECK(found == kBlocks && turns == (long)kThreads * kRounds);
  CHECK(count32 == kThreads * kRounds && count64 == 2 * kThreads * kRounds);
  CHECK(guarded == (long)kThreads * kRounds);
  CHECK(OSSpinLockTry(&lock) && !OSSpinLockTry(&lock));

  CHECK(OSAtomicCompareAndSwap32Barrier(5, 6, &value) && value == 6);
  CHECK(!OSAtomicCompareAndSwap32(5, 7, &value) && value == 6);
  CHECK(OSAtomicDecrement32Barrier(&value) == 5 && OSAtomicAdd32(-7, &value) == -2);
  CHECK(OSAtomicOr32(0x0f, &mask) == 0xff && OSAtomicAnd32Orig(0x3c, &mask) == 0xff);
  CHECK(OSAtomicXor32Barrier(1, &mask) == 0x3d);
  CHECK(!OSAtomicTestAndSet(9, bits) && bits[1] == 0x40 && OSAtomicTestAndClear(9, bits));
  CHECK(bits[1] == 0);
  OSMemoryBarrier();
  return 0;
}

static int checkMachine(void) {
  int count = 0, name[2] = {CTL_HW, HW_NCPU}, sameCount = 0;
  int traced[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, 0};
  uint64_t memory = 0;
  struct kinfo_proc process;
  char text[64];
  size_t size = sizeof(count);
  CHECK(sysctlbyname("hw.ncpu", &count, &size, NULL, 0) == 0 && count >= 1 && size == 4);
  CHECK(sysctl(name, 2, &sameCount, &size, NULL, 0) == 0 && sameCount == count);
  size = sizeof(memory);
  CHECK(sysctlbyname("hw.memsize", &memory, &size, NULL, 0) == 0 && memory > 1000000);
  CHECK(sysctlbyname("kern.ostype", NULL, &size, NULL, 0) == 0 && size == 6);
  size = sizeof(text);
  CHECK(sysctlbyname("kern.ostype", text, &size, NULL, 0) == 0 && !strcmp(text, "Linux"));
  size = 2;
  CHECK(sysctlbyname("kern.ostype", text, &size, NULL, 0) == -1 && errno == ENOMEM);
  CHECK(sysctlbyname("hw.toaster", text, &size, NULL, 0) == -1 && errno == ENOENT);
  CHECK(sysctlbyname("hw.ncpu", NULL, NULL, &count, 4) == -1 && errno == EPERM);
  size = sizeof(process);
  traced[3] = getpid();
  CHECK(sysctl(traced, 4, &process, &size, NULL, 0) == 0 && process.kp_proc.p_pid == getpid());
  return 0;
}

static void add(void *context) { *(int *)context += 1; }

// Returns the result of a function that leaves by a label.
static int leave(OSStatus status) {
  int reached = 0;
  __Require_noErr(status, out);
  reached = 1;
  __Require_Action(status != 0, out, reached = 2);
out:
  return reached;
}

static int checkHelpers(void) {
  static dispatch_once_t once;
  const uint8_t bytes[5] = {0, 1, 2, 3, 4};
  uint8_t written[4];
  int calls = 0;
  dispatch_once_f(&once, &calls, add);
  dispatch_once_f(&once, &calls, add);
  CHECK(calls == 1);
  CHECK(leave(-50) == 0 && leave(0) == 2);
  CHECK(OSReadBigInt32(bytes, 1) == 0x01020304 && OSReadLittleInt16(bytes, 3) == 0x0403);
  OSWriteBigInt32(written, 0, 0x01020304);
  CHECK(!memcmp(written, bytes + 1, 4));
  CHECK(OSHostByteOrder() == OSLittleEndian);
  return 0;
}

static CFTreeRef leaf(const char *name) {
  CFTreeContext context;
  memset(&context, 0, sizeof(context));
  context.info = (void *)(uintptr_t)name;
  return CFTreeCreate(NULL, &context);
}

static int checkFoundation(void) {
  CFTreeRef root = leaf("root"), first = leaf("first"), second = leaf("second");
  CFTreeContext context;
  CFStringRef text;
  CFMutableSetRef set = CFSetCreateMutable(NULL, 0, &kCFTypeSetCallBacks);
  CFTreeAppendChild(root, second);
  CFTreePrependChild(root, first);
  CHECK(CFTreeGetChildCount(root) == 2 && CFTreeGetFirstChild(root) == first);
  CHECK(CFTreeGetNextSibling(first) == second && CFTreeFindRoot(second) == root);
  CFTreeGetContext(CFTreeGetChildAtIndex(root, 1), &context);
  CHECK(!strcmp((const char *)context.info, "second"));
  CFRelease(first);
  CFRelease(second);
  CFRelease(root);

  CFSetAddValue(set, CFSTR("one"));
  CFSetAddValue(set, CFSTR("one"));
  CHECK(CFSetGetCount(set) == 1 && CFSetContainsValue(set, CFSTR("one")));
  CFRelease(set);

  // Without a table the key itself comes back.
  text = CFCopyLocalizedStringFromTableInBundle(
      CFSTR("Gain"), CFSTR("Parameters"), CFBundleGetMainBundle(), "a parameter");
  CHECK(text && CFEqual(text, CFSTR("Gain")));
  CFRelease(text);
  return 0;
}

int main(void) {
  return checkStrings() || checkAtomics() || checkMachine() || checkHelpers()
      || checkFoundation();
}
