// The page of the studio in a browser: all jobs that it is for, at one size.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The short form of `make check WHAT=studio`, which has all sizes, and the largest lists.
@Suite struct StudioPageTests {
  private static let browser = [
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
  ].first { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0) }

  private static let jobs = [
    "find", "build", "controls", "branches", "hear", "seamless", "zoom", "low", "run", "live",
    "learn", "rack", "late", "press", "crash", "two_tabs", "restart", "hostile", "rows",
  ]

  @Test(
    .enabled(
      if: browser != nil,
      "no Chromium is installed: make check WHAT=studio installs one and opens the page in it"))
  func allJobsAreDoneOnThePage() throws {
    let folder = try TemporaryFolder("auricle-studio-page")
    let result = try runProcess(
      Places.inPackage("Scripts/check-studio"),
      [
        Places.auricle, "--only", "1400 px, light", "--jobs", Self.jobs.joined(separator: ","),
      ], environment: ["TMPDIR": folder.path])
    #expect(result.exitCode == 0, "\(result.summary)")
    print(result.standardOutput)
  }
}
