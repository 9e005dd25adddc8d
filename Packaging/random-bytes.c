// The function of glibc 2.36 that libexpat asks for, for the tarball and the wheel, which run on older ones.
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf(void *bytes, size_t count);

/// Fills memory with random bytes of the kernel.
__attribute__((visibility("hidden"))) void arc4random_buf(void *bytes, size_t count) {
  unsigned char *place = bytes;
  while (count > 0) {
    const ssize_t made = getrandom(place, count, 0);
    if (made < 0 && errno != EINTR) abort();
    if (made <= 0) continue;
    place += made;
    count -= (size_t)made;
  }
}
