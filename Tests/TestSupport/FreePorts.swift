// Ports of this machine that belong to one test.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// UDP ports that no other test of this process has, and no other program at the moment.
public enum FreePorts {
  /// Below the range from which the system chooses ports for programs.
  private static let next = Mutex(15_000 + 2 * (Int(getpid()) % 4000))

  /// An even port that is free, with the following one.
  public static func pair() -> Int {
    next.withLock { next in
      for _ in 0..<8000 {
        next = next + 2 < 32_000 ? next + 2 : 15_000
        if isFree(next), isFree(next + 1) { return next }
      }
      return 0
    }
  }

  private static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
