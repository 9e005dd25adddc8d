// Replaces the sanitizer's note that a function of Swift is lent a struct to change.
// SPDX-License-Identifier: Apache-2.0
//
// Scripts/check-threads links this into realtime-check, and has the linker call it. Only accesses to memory shall count: a render thread
// is lent the state of its unit for a whole slice, while other threads reach atomics and constants in it.

void __wrap___tsan_external_write(void *address, void *caller, void *tag);

void __wrap___tsan_external_write(void *address, void *caller, void *tag) {
  (void)address;
  (void)caller;
  (void)tag;
}
