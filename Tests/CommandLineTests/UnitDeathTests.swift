// A sample of the campaign that kills processes of units inside of renders.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct UnitDeathTests {
  @Test(
    "Units whose process is killed inside of a render are wet or dry, joined by the fade, and never stale"
  )
  func sample() throws {
    let arguments = ["--kills", "60", "--real-kills", "0", "--hostile", "5", "--seed", "11"]
    let result = try runProcess(Places.inPackage("Stress/unit-deaths"), arguments)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardOutput.contains("60 kills,"), "\(result.summary)")
    #expect(result.standardOutput.contains(" 0 faults"), "\(result.summary)")
  }
}
