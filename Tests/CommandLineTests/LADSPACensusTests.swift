// A sample of real LADSPA plug-ins, bit for bit as a bare host renders them.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct LADSPACensusTests {
  /// Plug-ins of every collection, with every kind of port. Missing ones are left out, and named.
  static let sample = [
    "ladspa:amp:amp_mono", "ladspa:bs2b:bs2b", "ladspa:caps:Plate", "ladspa:caps:Saturate",
    "ladspa:chebstortion_1430:chebstortion", "ladspa:cmt:freeverb3", "ladspa:cmt:wshape_sine",
    "ladspa:fad_delay_1192:fadDelay", "ladspa:filter:lpf", "ladspa:lcr_delay_1436:lcrDelay",
    "ladspa:cs_chorus:Chorus1", "ladspa:sc3_1427:sc3", "ladspa:tap_reverb:tap_reverb",
    "ladspa:tap_pitch:tap_pitch", "ladspa:vlevel-ladspa:vlevel_stereo",
    "ladspa:ZamDelay-ladspa:ZamDelay", "ladspa:zita-reverbs:zita-reverb",
    "ladspa:comparison_4440:comp_ac", "ladspa:adenv_lvl:adenv_lvl",
    "ladspa:multiplexer_4420:mux_cr", "ladspa:slide_2741:slide_tc",
  ]

  @Test(
    .enabled(if: CensusSampleTests.hasTools, "python3, cc or pkg-config is missing"),
    arguments: [1024, 64])
  func theyAreTheBareHosts(slice: Int) throws {
    let folder = try TemporaryFolder("auricle-ladspa-sample")
    let list = try folder.write(Self.sample.joined(separator: "\n"), to: "names.txt")
    let result = try runProcess(
      "python3",
      [Places.inPackage("Stress/ladspa-census"), "--names", list, "--slice", "\(slice)"],
      environment: ["XDG_CACHE_HOME": Sandbox.cache, "LADSPA_PATH": nil])
    #expect(result.exitCode == 0, "\(result.summary)")
    for line in result.standardOutput.split(separator: "\n")
    where line.hasPrefix("not installed") {
      print(line)
    }
  }
}
