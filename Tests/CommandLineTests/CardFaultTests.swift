// Faults of a sound card, by frame and from outside: lost frames, messages, and how it ends.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct CardFaultTests {
  /// Frames that a player's device holds, and one period that is on its way there.
  private static let held = 5 * 1024

  /// Expects the sound in order, with no more lost than each break costs.
  private func expectWhole(
    _ delivered: Arrival, _ result: ProcessResult, breaks: Int, of frameCount: Int
  ) {
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(delivered.foreignCount == 0, "\(delivered)")
    let allowed = Self.held * max(breaks, result.overrunCount)
    #expect(delivered.frameCount >= frameCount - allowed, "\(delivered), \(result.summary)")
  }

  @Test(
    "A player goes on after a fault at a frame, and loses no more than the card held",
    arguments: [("xrun", 1), ("stall@12000:300", 0), ("hang", 1), ("suspend", 1)])
  func atFrame(fault: String, breaks: Int) throws {
    let bench = try CardBench()
    let text = fault.contains("@") ? fault : "\(fault)@12000"
    try bench.cards.add("card", "formats \"S16_LE\" faults \"\(text)\"")
    let result = try bench.run("play", "--device", "card", "in.wav")
    expectWhole(bench.delivered("card"), result, breaks: breaks, of: 24_000)
    if fault == "xrun" { #expect(result.overrunCount >= 1, "\(result.summary)") }
  }

  @Test("A player goes on after faults from outside", arguments: ["xrun", "stall", "suspend"])
  func fromOutside(fault: String) throws {
    let bench = try CardBench(frameCount: 48_000)
    try bench.cards.add("card", "formats \"S16_LE\"")
    let child = try bench.start("play", "--device", "card", "in.wav")
    try #require(child.waits { bench.cards.delivered("card").count > 40_000 })
    bench.cards.notify("card", fault, 300)
    let result = child.wait()
    expectWhole(bench.delivered("card"), result, breaks: 1, of: 48_000)
  }

  @Test("A card that is pulled while it plays ends the run, at the frame where it was")
  func pulled() throws {
    let bench = try CardBench()
    try bench.cards.add("card", "formats \"S16_LE\" faults \"disconnect@12000\"")
    let result = try bench.run("play", "--device", "card", "in.wav")
    #expect(result.exitCode == 74, "\(result.summary)")
    #expect(result.standardError.contains("card is gone"), "\(result.summary)")
    let delivered = bench.delivered("card")
    #expect(delivered.foreignCount == 0 && delivered.lostCount <= Self.held * result.overrunCount)
    if result.overrunCount == 0 { #expect(delivered.frameCount == 12_000, "\(delivered)") }
  }

  @Test("A player that waits continues with the unplayed sound when the card is back")
  func comesBack() throws {
    let bench = try CardBench(frameCount: 48_000)
    try bench.cards.add("card", "formats \"S16_LE\" faults \"disconnect@20000\"")
    let child = try bench.start("play", "--wait", "--device", "card", "in.wav")
    try #require(child.waits { child.standardError.contains("waiting for it") })
    try bench.cards.add("card", "formats \"S16_LE\"")
    bench.cards.notify("card", "back")
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    let delivered = bench.delivered("card", repeated: 4096)
    #expect(delivered.foreignCount == 0, "\(delivered)")
    // If the machine was too busy, that was reported, and cost the frames in the card.
    #expect(
      delivered.lostCount <= Self.held * result.overrunCount, "\(delivered), \(result.summary)")
    #expect(delivered.frameCount + delivered.lostCount == 48_000, "\(delivered), \(result.summary)")
  }

  @Test("A recording is whole when the card is pulled: the sound until then is in the file")
  func pulledWhileRecording() throws {
    let bench = try CardBench(frameCount: 48_000)
    try bench.cards.add("card", "formats \"S16_LE\"")
    let recorder = try bench.start(
      "record", "--device", "card", "--channels", "2", "--duration", "300", "take.wav")
    try #require(recorder.waits { bench.cards.runs("card", .input) })
    let player = try bench.start(program: "aplay", "-q", "-D", "card", "in.wav")
    try #require(player.waits { bench.cards.delivered("card").count > 120_000 })
    bench.cards.notify("card", "disconnect", side: .input)
    let result = recorder.wait()
    #expect(result.exitCode == 74, "\(result.summary)")
    #expect(
      result.standardError.contains("the sound until then is in take.wav"), "\(result.summary)")
    let consume = try bench.recorded("take.wav")
    #expect(consume.foreignCount == 0 && consume.frameCount > 4096, "\(consume)")
    #expect(consume.lostCount == 0 || result.overrunCount > 0, "\(consume), \(result.summary)")
    _ = player.wait()
  }

  @Test("A recording that is killed leaves a file that can be read")
  func killedWhileRecording() throws {
    let bench = try CardBench(frameCount: 16)
    try bench.cards.add("card")
    let recorder = try bench.start("record", "--device", "card", "--duration", "300", "take.wav")
    let path = bench.box("take.wav")
    func size() -> Int {
      (FileManager.default.contents(atPath: path) ?? Data()).count
    }
    try #require(recorder.waits { size() > 100_000 })
    recorder.send(signal: SIGKILL)
    _ = recorder.wait()
    #expect(try Sound(path: path).frameCount > 8000)
  }

  @Test("A recording that waits goes on in the same file, as long as was asked for")
  func recordingComesBack() throws {
    let bench = try CardBench(frameCount: 16)
    try bench.cards.add("card")
    let recorder = try bench.start(
      "record", "--wait", "--device", "card", "--duration", "1", "take.wav")
    try #require(recorder.waits { bench.cards.runs("card", .input) })
    bench.cards.notify("card", "disconnect", side: .input)
    try #require(recorder.waits { recorder.standardError.contains("waiting for it") })
    bench.cards.notify("card", "back", side: .input)
    let result = recorder.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try Sound(path: bench.box("take.wav")).frameCount == 48_000)
  }
}
