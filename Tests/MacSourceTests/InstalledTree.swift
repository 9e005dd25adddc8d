// An installed tree, for tests that build against it.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// An installed tree, and a folder to build in with its programs in PATH.
struct InstalledTree {
  let folder: TemporaryFolder
  private let environment: [String: String?]

  var prefix: String { folder("stage/it") }

  init() throws {
    folder = try TemporaryFolder("auricle-as-mac")
    let install = try runProcess(
      Places.inPackage("Scripts/install"), ["/it", folder("stage"), Places.builtProducts])
    try #require(install.exitCode == 0, "\(install.summary)")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    environment = [
      "PATH": folder("stage/it/bin:") + path, "LD_LIBRARY_PATH": nil, "HOME": folder("home"),
      "XDG_CONFIG_HOME": nil, "XDG_CACHE_HOME": folder("cache"), "LV2_PATH": folder("none"),
      "AURICLE_COMPONENT_PATH": nil,
    ]
  }

  /// Runs lines of shell in the folder; the first that fails ends them.
  func run(_ script: String, _ more: [String: String?] = [:]) throws -> ProcessResult {
    try runProcess(
      "/bin/sh", ["-e", "-c", script], environment: environment.merging(more) { $1 },
      in: folder.path)
  }
}
