// The symbols that the linker of the Swift toolchain adds to a library without Swift: calls of an absent runtime.
// SPDX-License-Identifier: Apache-2.0

void swift_addNewDSOImage(const void *image) { (void)image; }

_Bool _swift_backtrace_isThunkFunction(const char *name) {
  (void)name;
  return 0;
}
