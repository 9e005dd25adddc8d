// The speech unit: the same samples in any slices, a text that replaces another, rates, refusals.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Speech") struct SpeechTests {
  private func open(_ text: String, rate: Double = 48_000) throws -> AudioUnit {
    let unit = try Shipped.open(name: "augn:ttsp:appl")
    try unit.setText("text", text)
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: rate, channelCount: 1), scope: kAudioUnitScope_Output)
    try unit.initialize()
    return unit
  }

  private func render(_ unit: AudioUnit, frames: Int, slices: [Int] = [512]) throws -> [Float] {
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 1156)
    var output: [Float] = []
    var turn = 0
    while output.count < frames {
      let count = min(slices[turn % slices.count], frames - output.count)
      buffers.setFrameCount(count)
      var flags: AudioUnitRenderActionFlags = 0
      var time = AudioTimeStamp(sampleTime: Double(output.count))
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &time, frameCount: UInt32(count), buffers: buffers.list)
      guard status == 0 else { throw AuricleError(.software, status: status, "render failed") }
      unsafe output.append(
        contentsOf: UnsafeBufferPointer(start: buffers.channel(0), count: count))
      turn += 1
    }
    return output
  }

  @Test(
    "A text has the same samples in any slices, in any unit, after Reset, and after other texts")
  func same() throws {
    let first = try open("Take the second exit.")
    let seconds = try #require(first.speechSeconds)
    #expect((1...3).contains(seconds))
    let whole = try render(first, frames: 96_000)
    #expect((whole.map(abs).max() ?? 0) > 0.05)
    #expect(whole.suffix(96_000 - Int(seconds * 48_000) - 1).allSatisfy { $0 == 0 })
    try first.setText("text", "Something else.")
    _ = try render(first, frames: 1000)
    try first.setText("text", "Take the second exit.")
    #expect(try render(first, frames: 96_000, slices: [1, 7, 1000]) == whole)
    try first.reset()
    #expect(try render(first, frames: 96_000) == whole)
    #expect(try render(open("Take the second exit."), frames: 96_000, slices: [333]) == whole)
  }

  @Test(
    "A missing voice is refused with the nearest names, and an empty text is silent"
  )
  func refusals() throws {
    let unit = try open("")
    #expect(try render(unit, frames: 1000).allSatisfy { $0 == 0 })
    let error = try #require(throws: AuricleError.self) { try unit.setText("voice", "en-xx") }
    #expect(error.message.contains("no voice 'en-xx'") && error.message.contains("en-gb"))
    #expect(try unit.speechVoices().contains { $0.language == "en-gb" })
  }
}
