// Units that ship: at rest in silence once their tails are over, and back at once.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite struct ShippedSilenceTests {
  @Test(arguments: [
    "lpas", "hpas", "pmeq", "dely", "mrev", "sdly", "lmtr", "dcmp", "bpas", "nbeq", "mcmp", "rvb2",
    "dist",
  ])
  func restsInSilence(_ subtype: String) throws {
    let rig = try UnitRig(subtype)
    let unit = rig.unit
    let noise = (0..<4096).map { Float(($0 * 7919) % 2001 - 1000) / 2000 }
    _ = try rig.render([noise], slices: [4096])
    let tail = unit.tailTime ?? 0
    // It declares silence, for any contents of its buffers.
    unsafe try unit.setInputCallback(
      { _, flags, _, _, _, _ in
        unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
        return 0
      }, refCon: nil)
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 4096)
    var reported = -1
    var isTrue = true
    let slices = Int((tail + 2) * 48_000 / 4096) + 2
    for slice in 0..<slices {
      buffers.setFrameCount(4096)
      var flags: AudioUnitRenderActionFlags = 0
      var time = AudioTimeStamp(sampleTime: Double(4096 * (slice + 1)))
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &time, frameCount: 4096, buffers: buffers.list)
      #expect(status == 0)
      guard flags & kAudioUnitRenderAction_OutputIsSilence != 0 else { continue }
      if reported < 0 { reported = slice }
      for channel in 0..<2 {
        for frame in 0..<4096 where unsafe buffers.channel(channel)[frame] != 0 { isTrue = false }
      }
    }
    #expect(reported >= 0, "it never said that it is silent")
    #expect(Double(reported * 4096) / 48_000 >= tail - 0.1, "it cut its tail off")
    #expect(isTrue)
  }
}
