// Sound through simulated cards with the real alsa-lib: it leaves the connector unchanged.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct CardPlayTests {
  @Test(
    "The connector has the samples of the file, in every format and access",
    arguments: [
      ("S16_LE", "MMAP_INTERLEAVED", ""), ("S16_BE", "RW_INTERLEAVED", "burst 48"),
      ("S24_3LE", "MMAP_NONINTERLEAVED", ""), ("S24_LE", "RW_NONINTERLEAVED", ""),
      ("S32_BE", "MMAP_INTERLEAVED", "most 100"), ("FLOAT_LE", "RW_INTERLEAVED", "ppm 200"),
    ])
  func played(format: String, access: String, more: String) throws {
    let bench = try CardBench()
    try bench.cards.add("card", "formats \"\(format)\" access \"\(access)\" \(more)")
    let result = try bench.run("play", "--device", "card", "in.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let delivered = bench.delivered("card", format)
    #expect(delivered.foreignCount == 0 && delivered.silentCount == 0, "\(delivered)")
    // Nothing is lost unless the machine was too busy, which is reported.
    #expect(delivered.lostCount <= result.overrunCount * 4096, "\(delivered), \(result.summary)")
    #expect(delivered.frameCount + delivered.lostCount == 24_000, "\(delivered)")
  }

  /// Plays with one program and records the signal on the wire with another.
  private func wire(
    _ bench: CardBench, record: (CardBench) throws -> ChildProcess,
    play: (CardBench) throws -> ChildProcess
  ) throws -> (played: ProcessResult, recorded: ProcessResult) {
    try bench.cards.add("card", "formats \"S16_LE\"")
    let recorder = try record(bench)
    try #require(recorder.waits { bench.cards.runs("card", .input) }, "nobody records")
    let played = try play(bench).wait()
    // All of it is in the recorder's file once that has grown by more than the buffers of both hold.
    func size() -> Int {
      (FileManager.default.contents(atPath: bench.box("take.wav")) ?? Data()).count
    }
    let before = size()
    _ = recorder.waits { size() > before + 131_072 }
    recorder.send(signal: SIGINT)
    return (played, recorder.wait())
  }

  private static func aplay(_ bench: CardBench) throws -> ChildProcess {
    try bench.start(program: "aplay", "-q", "-D", "card", "in.wav")
  }
  private static func arecord(_ bench: CardBench) throws -> ChildProcess {
    try bench.start(
      program: "arecord", "-q", "-D", "card", "-f", "S16_LE", "-r", "48000", "-c", "2", "-d", "300",
      "take.wav")
  }
  private static func play(_ bench: CardBench) throws -> ChildProcess {
    try bench.start("play", "--device", "card", "in.wav")
  }
  private static func record(_ bench: CardBench) throws -> ChildProcess {
    try bench.start(
      "record", "--device", "card", "--channels", "2", "--duration", "300", "take.wav")
  }

  @Test(
    "The other end of the wire gets every frame: of play and record, and of one of them with aplay or arecord",
    arguments: [(false, false), (true, false), (false, true)])
  func wire(usesAplay: Bool, usesArecord: Bool) throws {
    let bench = try CardBench()
    let (played, recorded) = try wire(
      bench, record: usesArecord ? Self.arecord : Self.record,
      play: usesAplay ? Self.aplay : Self.play)
    #expect(played.exitCode == 0, "\(played.summary)")
    // arecord ends with 1 where it is interrupted.
    #expect(recorded.exitCode == (usesArecord ? 1 : 0), "\(recorded.summary)")
    let consume = try bench.recorded("take.wav")
    #expect(consume.foreignCount == 0, "\(consume)")
    let isBroken = "\(played.standardError)\(recorded.standardError)".contains("run")
    #expect(
      consume.frameCount == 24_000 || isBroken, "\(consume), \(played.summary), \(recorded.summary)"
    )
  }

  @Test(
    "A missing device, a removed one, a forbidden one, and one that another program uses"
  )
  func opening() throws {
    let bench = try CardBench()
    let silence = TestSignal.silence(frameCount: 14_400_000)
    try Sound([silence, silence]).write(to: bench.box("long.wav"), encoding: .pcm16)
    try bench.cards.add("card")
    let absent = try bench.run("play", "--device", "elsewhere", "in.wav")
    #expect(absent.exitCode == 69, "\(absent.summary)")
    bench.cards.notify("card", "disconnect")
    let gone = try bench.run("play", "--device", "card", "in.wav")
    #expect(gone.exitCode == 69, "\(gone.summary)")
    #expect(gone.standardError.contains("there is no card behind it"), "\(gone.summary)")
    bench.cards.notify("card", "deny")
    let denied = try bench.run("play", "--device", "card", "in.wav")
    #expect(denied.exitCode == 77, "\(denied.summary)")
    #expect(denied.standardError.contains("the group audio"), "\(denied.summary)")
    bench.cards.notify("card", "back")
    let holder = try bench.start("play", "--device", "card", "long.wav")
    try #require(holder.waits { bench.cards.runs("card") })
    let busy = try bench.run("play", "--device", "card", "in.wav")
    #expect(busy.exitCode == 75, "\(busy.summary)")
    #expect(busy.standardError.contains("card is busy"), "\(busy.summary)")
    holder.send(signal: SIGTERM)
    #expect(holder.wait().exitCode == 130)
  }

  @Test("A format that a card does not accept is refused with the nearest accepted one")
  func refused() throws {
    let bench = try CardBench()
    try bench.cards.add("card", "rate_min 44100 rate_max 48000 channels_min 2 channels_max 2")
    let rate = try bench.run(
      "record", "--device", "card", "--sample-rate", "96000", "--duration", "1", "take.wav")
    #expect(rate.exitCode == 65 && rate.standardError.contains("48000"), "\(rate.summary)")
    let channels = try bench.run(
      "record", "--device", "card", "--channels", "7", "--duration", "1", "take.wav")
    #expect(
      channels.exitCode == 65 && channels.standardError.contains("it has 2"), "\(channels.summary)")
  }
}
