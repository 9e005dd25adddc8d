// The processes for units of one test's program.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Finds processes for units by the folder of caches in their environment, which each test has for itself.
struct UnitProcessList {
  /// The folder of caches.
  let cache: String

  /// The numbers of the processes that run now, in their order.
  var ids: [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { pid_t($0) }.filter { id in
      Self.text("/proc/\(id)/cmdline").contains("serve-units")
        && Self.text("/proc/\(id)/environ").contains("XDG_CACHE_HOME=\(cache)")
    }.sorted()
  }

  /// The text of a file whose size the system does not know; empty where there is none.
  private static func text(_ path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
