// The end of a child process as an event, where the kernel has no handles of processes.
// SPDX-License-Identifier: Apache-2.0

package import CHostSystem
import Glibc
import HostSystem

/// Descriptors for the ends of child processes on kernels before 5.2.
package enum ProcessEnd {
  /// Makes a descriptor that is readable when a child has ended; the child is left for `waitpid`.
  ///
  /// - Returns: The descriptor, which the caller closes; -1 where the system has no more of them.
  ///
  /// Context: control.
  package static func descriptor(of child: pid_t) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard unsafe AuriclePrivatePipe(&ends) == 0 else { return -1 }
    let (descriptor, other) = (ends[0], ends[1])
    let thread = startThread {
      var info = unsafe siginfo_t()
      retrying { unsafe waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) }
      close(other)
    }
    guard let thread else {
      close(descriptor)
      close(other)
      return -1
    }
    pthread_detach(thread)
    return descriptor
  }
}
