// Lists that a caller brings to a unit of two inputs: the effect of ProcessMultiple on both, and why Process cannot.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite("Contract: lists of two inputs")
struct ListConformanceTests {
  private static let frames = 64

  /// Buffers whose channels hold a value each.
  private func filled(_ values: [Float]) -> AudioBuffers {
    let buffers = AudioBuffers(channelCount: values.count, frameCapacity: Self.frames)
    buffers.setFrameCount(Self.frames)
    for (channel, value) in values.enumerated() {
      for frame in 0..<Self.frames { unsafe buffers.channel(channel)[frame] = value }
    }
    return buffers
  }

  /// The value that each channel holds throughout.
  private func values(_ buffers: AudioBuffers) -> [Float?] {
    (0..<buffers.channelCount).map { channel in
      let samples = unsafe Set(
        UnsafeBufferPointer(start: buffers.channel(channel), count: Self.frames))
      return samples.count == 1 ? samples.first : nil
    }
  }

  private func processMultiple(
    _ unit: AudioUnit, _ inputs: [AudioBuffers?], _ output: AudioBuffers
  ) -> OSStatus {
    var lists = unsafe inputs.map { unsafe UnsafePointer<AudioBufferList>($0?.list) }
    var outputs: [UnsafeMutablePointer<AudioBufferList>?] = unsafe [output.list]
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: 0)
    defer { withExtendedLifetime((inputs, output)) {} }
    return unsafe AudioUnitProcessMultiple(
      unit.instance, &flags, &stamp, UInt32(Self.frames), UInt32(lists.count), &lists, 1, &outputs)
  }

  private func process(_ unit: AudioUnit, _ buffers: AudioBuffers) -> OSStatus {
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: 0)
    return unsafe AudioUnitProcess(
      unit.instance, &flags, &stamp, UInt32(Self.frames), buffers.list)
  }

  private func merger() throws -> AudioUnit {
    try SubjectComponents.shipped.get().resolve("aufc:merg:appl").instantiate()
  }

  @Test("two mono lists come out side by side, and a missing one is silence")
  func sideBySide() throws {
    let unit = try merger()
    try unit.initialize()
    let output = filled([9, 9])
    same(processMultiple(unit, [filled([0.25]), filled([0.5])], output), 0)
    same(values(output), [0.25, 0.5])
    same(processMultiple(unit, [filled([0.75]), nil], output), 0)
    same(values(output), [0.75, 0])
    same(processMultiple(unit, [filled([0.75])], output), kAudio_ParamError)
  }

  @Test("a list that is to hold the input and then the output cannot be of two widths")
  func inPlace() throws {
    let unit = try merger()
    try unit.initialize()
    same(process(unit, filled([0.5])), kAudioUnitErr_FormatNotSupported)
    same(process(unit, filled([0.5, 0.5])), kAudioUnitErr_FormatNotSupported)
    // Where the widths are one, the second input is silence.
    let sum = try merger()
    try sum.setStreamFormat(
      AudioStreamFormat(sampleRate: 44_100, channelCount: 1), scope: kAudioUnitScope_Output)
    try sum.initialize()
    let list = filled([0.5])
    same(process(sum, list), 0)
    same(values(list), [0.5])
  }
}
