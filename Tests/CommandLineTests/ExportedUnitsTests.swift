// A sample of the units that ship, exported to every format and compared with the native ones bit for bit.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ExportedUnitsTests {
  /// An effect with a state, an instrument, a generator, a panner, one whose libraries are many, and two that glide.
  static let sample = [
    "aufx:nbeq:appl", "aumu:samp:appl", "augn:nois:Auri", "aupn:sphr:appl", "aufx:rvb2:appl",
    "aufx:dely:appl", "aufx:hpas:appl",
  ]

  @Test(.enabled(if: CensusSampleTests.hasTools, "python3, cc or pkg-config is missing"))
  func theyMakeTheSamplesOfTheNativeOnes() throws {
    let folder = try TemporaryFolder("auricle-exported-sample")
    let list = try folder.write(Self.sample.joined(separator: "\n"), to: "names.txt")
    let result = try runProcess(
      "python3",
      [Places.inPackage("Stress/exported-units"), "--names", list, "--slice", "480", "--facts"],
      environment: ["XDG_CACHE_HOME": Sandbox.cache])
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(!result.standardOutput.contains("does not ship"), "\(result.summary)")
  }
}
