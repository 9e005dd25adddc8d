// `auricle graph show`: units by their names, with parameters and latencies, the same every time.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct GraphShowTests {
  @Test func namesParametersAndLatenciesAreShown() throws {
    let box = try Sandbox()
    let text = try box.run("graph", "show", "ducked-reverb")
    #expect(text.exitCode == 0, "\(text.summary)")
    for part in [
      "Auricle: High-Pass Filter (aufx:hpas:appl) “Rumble”\n       cutoff frequency 70 Hz\n",
      "  2  splitter of Rumble\n",
      "Auricle: Peak Limiter (aufx:lmtr:appl) “Peaks”, latency 600 frames (12.5 ms)",
      "  file     →  1        2 channels\n",
      "The whole at 48000 Hz: latency 600 frames (12.5 ms), a tail",
    ] { #expect(text.standardOutput.contains(part), "\(part) is not in \(text.standardOutput)") }
    #expect(!text.standardOutput.contains("0x"))
    #expect(try box.run("graph", "show", "ducked-reverb").standardOutput == text.standardOutput)
  }
}
