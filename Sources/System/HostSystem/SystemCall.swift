// The one loop around system calls that a signal may interrupt.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Makes a system call again as long as a signal interrupts it.
///
/// - Parameter call: The call; it returns -1 and sets `errno` when it fails.
/// - Returns: The result of the last call; `errno` is that of the call where it is negative.
///
/// Context: control.
@discardableResult
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result < 0, errno == EINTR { continue }
    return result
  }
}
