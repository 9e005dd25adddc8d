// The variables of a worker's environment, the same for every file.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc

/// What the environment said when the worker began. A unit that sets a variable would speak to the
/// chains of later files with it.
struct EnvironmentGuard {
  private let before = EnvironmentGuard.now

  /// Puts the environment back where it differs. Strings that are in it by then stay allocated: a unit
  /// may keep pointers to them.
  func restore() {
    guard Self.now != before else { return }
    clearenv()
    for entry in before {
      let text = unsafe strdup(entry)
      if let text = unsafe text { unsafe putenv(text) }
    }
  }

  private static var now: [String] {
    var entries: [String] = []
    guard var entry = unsafe AuricleEnvironment() else { return entries }
    while let text = unsafe entry.pointee {
      unsafe entries.append(String(cString: text))
      unsafe entry += 1
    }
    return entries
  }
}
