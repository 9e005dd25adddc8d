// A time that is a little ahead of now, as waiting functions want it.
// SPDX-License-Identifier: Apache-2.0

import Glibc

extension timespec {
  /// So many nanoseconds, less than a second, from now by the clock of the day. Context: control.
  init(nanosecondsFromNow nanoseconds: Int) {
    self.init()
    unsafe clock_gettime(CLOCK_REALTIME, &self)
    tv_nsec += nanoseconds
    if tv_nsec >= 1_000_000_000 {
      tv_nsec -= 1_000_000_000
      tv_sec += 1
    }
  }
}
