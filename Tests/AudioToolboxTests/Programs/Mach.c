// A program on the kernel's names: clocks, waiting, threads and their policies, memory, texts of errors.
// SPDX-License-Identifier: Apache-2.0
//
// It ends with 1 and prints the first thing that is not as it must be.

#include <errno.h>
#include <mach/mach.h>
#include <mach/mach_time.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      printf("line %d: not so: %s\n", __LINE__, #condition);                \
      return 1;                                                             \
    }                                                                       \
  } while (0)

static thread_t otherThread;

static void *nameThread(void *unused) {
  (void)unused;
  otherThread = mach_thread_self();
  return NULL;
}

static int checkClocks(void) {
  uint64_t start = mach_absolute_time();
  clock_serv_t clock = 0, none = 7;
  mach_timespec_t time;
  mach_timebase_info_data_t base;
  CHECK(mach_timebase_info(&base) == KERN_SUCCESS && base.numer == base.denom);
  CHECK(mach_timebase_info(NULL) == KERN_INVALID_ARGUMENT);
  CHECK(mach_wait_until(start + 3000000) == KERN_SUCCESS);
  CHECK(mach_absolute_time() >= start + 3000000);
  CHECK(mach_wait_until(start) == KERN_SUCCESS);
  CHECK(mach_continuous_time() >= start);
  // The coarse clock is behind by a tick of the system, not by a second.
  CHECK(mach_approximate_time() + 1000000000u > start);
  CHECK(host_get_clock_service(mach_host_self(), CALENDAR_CLOCK, &clock) == KERN_SUCCESS);
  CHECK(clock_get_time(clock, &time) == KERN_SUCCESS && time.tv_sec > 1600000000u);
  CHECK(host_get_clock_service(mach_host_self(), SYSTEM_CLOCK, &clock) == KERN_SUCCESS);
  CHECK(clock_get_time(clock, &time) == KERN_SUCCESS);
  CHECK(time.tv_sec >= start / 1000000000u && time.tv_nsec < 1000000000);
  CHECK(host_get_clock_service(mach_host_self(), 9, &none) == KERN_INVALID_ARGUMENT && none == 7);
  CHECK(clock_get_time(none, &time) == KERN_INVALID_ARGUMENT);
  CHECK(clock_get_time(clock, NULL) == KERN_INVALID_ARGUMENT);
  return 0;
}

static int checkThreads(void) {
  pthread_t thread;
  thread_time_constraint_policy_data_t constraint = {1000000, 200000, 1000000, 1};
  thread_precedence_policy_data_t precedence = {0};
  thread_t own = mach_thread_self();
  int result;
  CHECK(pthread_create(&thread, NULL, nameThread, NULL) == 0 && pthread_join(thread, NULL) == 0);
  CHECK(own != 0 && otherThread != 0 && own != otherThread && own == mach_thread_self());
  CHECK(mach_port_deallocate(mach_task_self(), own) == KERN_SUCCESS);
  CHECK(mach_port_deallocate(mach_task_self(), MACH_PORT_NULL) == KERN_INVALID_NAME);

  // The system decides whether this user may have realtime threads; either way the status says so.
  result = thread_policy_set(
      own, THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&constraint,
      THREAD_TIME_CONSTRAINT_POLICY_COUNT);
  CHECK(result == KERN_SUCCESS || result == KERN_NO_ACCESS);
  CHECK(((sched_getscheduler(0) & 0xff) == SCHED_RR) == (result == KERN_SUCCESS));
  CHECK(
      thread_policy_set(own, THREAD_STANDARD_POLICY, NULL, THREAD_STANDARD_POLICY_COUNT)
      == KERN_SUCCESS);
  CHECK((sched_getscheduler(0) & 0xff) == SCHED_OTHER);
  CHECK(
      thread_policy_set(
          own, THREAD_PRECEDENCE_POLICY, (thread_policy_t)&precedence,
          THREAD_PRECEDENCE_POLICY_COUNT)
      == KERN_SUCCESS);

  CHECK(
      thread_policy_set(own, THREAD_TIME_CONSTRAINT_POLICY, NULL, 4) == KERN_INVALID_ARGUMENT);
  CHECK(
      thread_policy_set(own, THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&constraint, 3)
      == KERN_INVALID_ARGUMENT);
  constraint.computation = 2000000;  // longer than the time it has to be done in
  CHECK(
      thread_policy_set(own, THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&constraint, 4)
      == KERN_INVALID_ARGUMENT);
  CHECK(thread_policy_set(own, 99, (thread_policy_t)&constraint, 4) == KERN_INVALID_ARGUMENT);
  // The other one is no more; number 1 is another process's.
  CHECK(thread_policy_set(otherThread, THREAD_STANDARD_POLICY, NULL, 0) == KERN_INVALID_ARGUMENT);
  CHECK(thread_policy_set(1, THREAD_STANDARD_POLICY, NULL, 0) == KERN_INVALID_ARGUMENT);
  CHECK(thread_policy_set(0, THREAD_STANDARD_POLICY, NULL, 0) == KERN_INVALID_ARGUMENT);
  return 0;
}

// Checks the trick of ring buffers: the same memory twice, one behind the other.
static int checkMemory(void) {
  const vm_size_t size = round_page(10000);
  vm_address_t first = 0, second, taken;
  vm_prot_t protection, most;
  CHECK(size >= 10000 && size % vm_page_size == 0 && trunc_page(size + 1) == size);
  CHECK(vm_allocate(mach_task_self(), &first, 2 * size, VM_FLAGS_ANYWHERE) == KERN_SUCCESS);
  CHECK(*(char *)first == 0);
  CHECK(vm_deallocate(mach_task_self(), first + size, size) == KERN_SUCCESS);
  second = first + size;
  CHECK(
      vm_remap(
          mach_task_self(), &second, size, 0, VM_FLAGS_FIXED, mach_task_self(), first, 0,
          &protection, &most, VM_INHERIT_DEFAULT)
      == KERN_SUCCESS);
  CHECK(second == first + size && protection == VM_PROT_DEFAULT);
  memcpy((char *)second - 2, "round", 6);
  CHECK(!strcmp((char *)first, "und"));
  // Nothing is mapped over existing memory, and a copy is another thing.
  taken = second;
  CHECK(
      vm_remap(
          mach_task_self(), &taken, size, 0, VM_FLAGS_FIXED, mach_task_self(), first, 0,
          &protection, &most, VM_INHERIT_DEFAULT)
      == KERN_NO_SPACE);
  CHECK(!strcmp((char *)second, "und"));
  CHECK(
      vm_remap(
          mach_task_self(), &taken, size, 0, VM_FLAGS_ANYWHERE, mach_task_self(), first, 1,
          &protection, &most, VM_INHERIT_DEFAULT)
      == KERN_NOT_SUPPORTED);
  CHECK(vm_allocate(mach_task_self(), &taken, size, VM_FLAGS_FIXED) == KERN_NO_SPACE);
  CHECK(vm_allocate(mach_task_self(), NULL, size, VM_FLAGS_ANYWHERE) == KERN_INVALID_ARGUMENT);
  CHECK(vm_deallocate(mach_task_self(), first, 2 * size) == KERN_SUCCESS);
  return 0;
}

static int checkErrors(void) {
  CHECK(!strcmp(mach_error_string(KERN_NO_ACCESS), "no access"));
  CHECK(mach_error_string(KERN_NO_ACCESS) == mach_error_string(KERN_NO_ACCESS));
  CHECK(mach_error_string(12345) && strlen(mach_error_string(12345)) > 0);
  mach_error("the program", KERN_ABORTED);
  mach_error(NULL, 12345);
  return 0;
}

int main(void) { return checkClocks() || checkThreads() || checkMemory() || checkErrors(); }
