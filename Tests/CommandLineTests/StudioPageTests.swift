// The page of the studio in a browser: a unit is found and tried.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The short form of `make check WHAT=studio`, which has all sizes and jobs.
@Suite struct StudioPageTests {
  private static let browser = [
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
  ].first { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0) }

  @Test(
    .enabled(
      if: browser != nil,
      "no Chromium is installed: make check WHAT=studio installs one and opens the page in it"))
  func aUnitIsFoundAndTried() throws {
    let folder = try TemporaryFolder("auricle-studio-page")
    let result = try runProcess(
      Places.inPackage("Scripts/check-studio"),
      [Places.auricle, "--only", "1400 px, light", "--jobs", "find"],
      environment: ["TMPDIR": folder.path], timeLimitSeconds: 300)
    #expect(result.exitCode == 0, "\(result.summary)")
    print(result.standardOutput)
  }
}
