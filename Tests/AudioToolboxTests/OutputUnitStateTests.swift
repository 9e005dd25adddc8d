// Behaviour that clients of output units, queues and devices rely on: settings in any state, sizes, listeners, times, both sides.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension DeviceProgramTests {
  private func device(_ options: String = "") -> String {
    "file:\(folder("out.wav")),clock=free,rate=48000\(options)"
  }

  @Test(
    "Formats, slices, callbacks, maps and devices are set in every state of a unit",
    arguments: [
      ("def ", -10865), ("sys ", -10865), ("ahal", 0), ("rioc", -10879), ("genr", -10879),
    ])
  func settings(subtype: String, device code: Int) throws {
    let all = "0 0 0 0 0 0 0 \(code) 0 0"
    #expect(
      try run("UnitStates", [subtype], device: device()) == [
        "open: \(all)", "initialized: \(all)", "running: \(all)", "runs 1",
      ])
  }

  @Test("Units are disposed in calls of their device, and are not called any more")
  func disposedInCalls() throws {
    #expect(
      try run("InCall", [], device: device()) == [
        "stop 0, uninitialize -10863, dispose 0, 50 times", "calls of the other after its end: 0",
      ])
  }

  /// The frames of the left channel from the first sound to the last, which have to count.
  private func expectCount(_ wanted: Int) throws {
    let found = try samples("out.wav")
    let left = stride(from: 0, to: found.count, by: 2).map { Int(found[$0] * 1_048_576) }
    let first = try #require(left.firstIndex { $0 != 0 })
    let count = left[first...].prefix { $0 != 0 }.count
    #expect(count >= wanted, "\(count) of \(wanted)")
    #expect(left[first..<(first + count)].enumerated().allSatisfy { $1 == $0 + 1 })
  }

  @Test(
    "A device plays with every size of its buffer, chosen before and after a unit is initialized",
    arguments: [16, 100, 4096, 4097, 20_000, 65_536], ["unit", "late", "queue"])
  func bufferSizes(frames: Int, way: String) throws {
    let said = try run("BufferSizes", ["\(frames)", way, "150000"], device: device())
    #expect(said == (way == "queue" ? [] : ["within the slice 1"]))
    try expectCount(150_000)
  }

  @Test(
    "A queue returns buffers when they were played, and plays all of them before it ends",
    arguments: [512, 1000, 64], [1, 2])
  func queueAhead(frames: Int, channels: Int) throws {
    let wanted = frames * 100
    #expect(
      try run("QueueAhead", ["\(frames)", "\(channels)", "\(wanted)", "stop"], device: device())
        == ["early 0"])
    // One channel plays on both sides.
    let found = try samples("out.wav")
    #expect(
      stride(from: 0, to: found.count, by: 2).allSatisfy { found[$0] == found[$0 + 1] })
    try expectCount(wanted)
  }

  @Test("A queue returns buffers without bytes in their turn, and completes formats without sizes")
  func emptyBuffers() throws {
    #expect(try run("QueueEmpty", [], device: device()) == ["1 GiB -108", "order 0 1 2 3"])
  }

  @Test("A queue that is stopped at once drops its waiting buffers")
  func queueDrops() throws {
    let counted = "file:\(folder("out.wav")),clock=counted,rate=48000"
    #expect(try run("QueueAhead", ["512", "2", "51200", "drop"], device: counted) == ["early 0"])
    // The device waits for the program, which stops the queue when half of the frames were played; 24
    // buffers wait then.
    let found = try samples("out.wav")
    let last = (found.max() ?? 0) * 1_048_576
    #expect(last >= 25_600 - 512 && last < 25_600 + 4096)
  }

  @Test("A counted device waits for the threads of its program, and plays the same in every run")
  func countedTurns() throws {
    var played: [[Float]] = []
    for _ in 0..<3 {
      let counted = "file:\(folder("out.wav")),clock=counted,rate=48000"
      #expect(try run("CountedTurns", ["200"], device: counted) == ["finished 200"])
      played.append(try samples("out.wav"))
    }
    #expect(played[1] == played[0] && played[2] == played[0])
    #expect(played[0].max() == Float(200) / 1_048_576)
  }

  @Test("Listeners are called once for a change, with the scope and element that they were set for")
  func notices() throws {
    let options = "file:\(folder("out.wav")),clock=free"
    #expect(
      try run("Notices", [], device: options) == [
        "changed 4", "wrong 0 of 225", "unit: global 1, output's 1, input's 1, others 0",
        "format: output's 1, input's 1, others 0",
      ])
  }

  @Test("A procedure starts at a time of its device", arguments: [4800, 100])
  func startAtTime(frame: Int) throws {
    #expect(
      try run("StartAtTime", ["\(frame)"], device: device(",period=512")) == [
        "no time 1",
        frame > 1000 ? "not before 1, within a period 1" : "not before 1, within a period 0",
      ])
  }

  @Test("An input procedure of a converter finds memory for the requested packets")
  func converterMemory() throws {
    #expect(
      try run("ConverterMemory", [], device: "file:") == [
        "9000 frames, wrong 0", "18000 frames, wrong 0", "too small 0",
      ])
  }
}
