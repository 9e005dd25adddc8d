// Keeps the environment of a worker the same for every file.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc
import HostSystem

/// The environment when the worker began. A variable that a unit sets would affect the chains of later files.
struct EnvironmentGuard {
  private let before = EnvironmentGuard.now

  /// Restores the environment if it differs. Strings in it stay allocated: a unit may keep pointers to them.
  func restore() {
    guard Self.now != before else { return }
    clearenv()
    for entry in before {
      let text = unsafe entry.withFileName { unsafe strdup($0) }
      if let text = unsafe text { unsafe putenv(text) }
    }
  }

  private static var now: [String] {
    var entries: [String] = []
    guard var entry = unsafe AuricleEnvironment() else { return entries }
    while let text = unsafe entry.pointee {
      entries.append(unsafe FileNameText.text(cString: text))
      unsafe entry += 1
    }
    return entries
  }
}
