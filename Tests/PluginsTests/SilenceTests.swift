// Savings of units: no work on silence.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

@Suite("Work left out on silence")
struct SilenceTests {
  @Test(
    "filters report silence once they have rung out", arguments: ["lpas", "hpas", "pmeq"])
  func silence(_ subtype: String) throws {
    let rig = try MultiBusRig("aufx:\(subtype):appl", inputs: [2], outputs: [2]) { unit in
      // An equaliser of 0 dB has nothing to ring.
      if subtype == "pmeq" { try unit.setParameter(2, 9) }
    }
    rig.feeds[0].channels = (1...2).map { TestSignal.noise(seed: $0, frameCount: 4096) }
    _ = try rig.render(4096)
    #expect(rig.flags & kAudioUnitRenderAction_OutputIsSilence == 0)
    rig.feeds[0].channels = []
    rig.feeds[0].isSilent = true
    let ringing = try rig.slice(64)
    #expect(ringing[0].contains { $0 != 0 })
    _ = try rig.render(48_000 * 2)
    let quiet = try rig.slice(64)
    #expect(rig.flags & kAudioUnitRenderAction_OutputIsSilence != 0)
    #expect(quiet.allSatisfy { $0.allSatisfy { $0 == 0 } })
    rig.feeds[0].isSilent = false
    rig.feeds[0].channels = (1...2).map {
      TestSignal.noise(seed: $0, frameCount: Int(rig.position) + 4096)
    }
    let again = try rig.slice(1024)
    #expect(again[0].contains { $0 != 0 })
  }
}
