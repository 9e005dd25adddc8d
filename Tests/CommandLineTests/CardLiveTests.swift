// Live sound between simulated cards.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct CardLiveTests {
  /// Runs a stage that records one card's playback and plays on another.
  private func stage(_ bench: CardBench) throws {
    try bench.cards.add("hall", "formats \"S16_LE\"")
    try bench.cards.add("booth", "formats \"S16_LE\"")
    try bench.cards.configure(
      "pcm.stage { type asym playback.pcm booth capture.pcm hall }")
  }

  @Test("Live output is the input, frame by frame")
  func equality() throws {
    let bench = try CardBench()
    try stage(bench)
    let live = try bench.start(
      "live", "--input", "stage", "--channels", "2", "--period", "256", "--periods", "4")
    try #require(live.waits { bench.cards.runs("hall", .input) }, "\(live.standardError)")
    let played = try bench.start(program: "aplay", "-q", "-D", "hall", "in.wav").wait()
    #expect(played.exitCode == 0, "\(played.summary)")
    // The last frames are still on their way through the buffers, which hold less than is played here.
    let before = bench.cards.delivered("booth").count
    _ = live.waits { bench.cards.delivered("booth").count > before + 65_536 }
    live.send(signal: SIGTERM)
    let result = live.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    let delivered = bench.delivered("booth")
    #expect(delivered.foreignCount == 0, "\(delivered)")
    let isBroken = result.overrunCount > 0 || played.standardError.contains("run")
    #expect(delivered.frameCount == 24_000 || isBroken, "\(delivered), \(result.summary)")
  }

  @Test("Two periods of 32 frames run, and each gap is counted with its cause")
  func small() throws {
    let bench = try CardBench(frameCount: 16)
    try stage(bench)
    let live = try bench.start(
      "live", "--input", "stage", "--channels", "2", "--period", "32", "--periods", "2")
    try #require(
      live.waits { bench.cards.delivered("booth").count > 96_000 }, "\(live.standardError)")
    live.send(signal: SIGTERM)
    let result = live.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    if result.overrunCount > 0 {
      let causes = ["late wake", "long render", "otherwise"]
      #expect(causes.contains(where: result.standardError.contains), "\(result.summary)")
    }
  }

  @Test("Live sound ends when either card is pulled", arguments: [true, false])
  func pulled(isInput: Bool) throws {
    let bench = try CardBench(frameCount: 16)
    try stage(bench)
    let live = try bench.start("live", "--input", "stage", "--channels", "2")
    try #require(live.waits { bench.cards.runs("hall", .input) }, "\(live.standardError)")
    bench.cards.notify(isInput ? "hall" : "booth", "disconnect", side: isInput ? .input : .output)
    let result = live.wait()
    #expect(result.exitCode == 74, "\(result.summary)")
    #expect(result.standardError.contains("stage is gone"), "\(result.summary)")
  }
}
