// Runs over real files with small units: alignment, tails, formats, failures, interruption.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioGraph
import AudioTypes
import AudioUnits
import BatchProcessing
import FileTestSupport
import Foundation
import TestSupport
import TestUnits
import Testing

@Suite struct BatchRunTests {
  typealias MakeUnit = () throws(AuricleError) -> AudioUnit

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-run")
  }

  private func run(
    _ inputs: [String], units: [MakeUnit], settings: JobSettings = JobSettings(),
    shouldStop: () -> Bool = { false }, observe: (BatchEvent) -> Void = { _ in }
  ) throws -> BatchSummary {
    let plan = try BatchPlan(
      inputs: inputs.map { folder($0) }, destination: .folder(folder("out")),
      fileExtension: settings.container?.fileExtension, overwrite: settings.overwrite)
    let run = BatchRun(plan: plan, settings: settings) { request throws(AuricleError) in
      try UnitChain(
        stages: units.enumerated().map { ChainStage(label: "unit \($0 + 1)", makeUnit: $1) },
        sampleRate: request.sampleRate, channelCount: request.channelCount,
        maximumFrames: request.maximumFrameCount)
    }
    return run.run(shouldStop: shouldStop, observe: observe)
  }

  private func results(
    _ inputs: [String], units: [MakeUnit], settings: JobSettings = JobSettings()
  ) throws -> [FileResult] {
    var results: [FileResult] = []
    let summary = try run(
      inputs, units: units, settings: settings,
      observe: { if case .finished(_, let result) = $0 { results.append(result) } })
    try #require(summary.failures.isEmpty, "\(summary.failures)")
    return results
  }

  private let gain: MakeUnit = { () throws(AuricleError) in try TestUnits.gain() }
  private let lookAhead: MakeUnit = { () throws(AuricleError) in try TestUnits.lookAhead() }
  private let broken: MakeUnit = { () throws(AuricleError) in try TestUnits.broken() }

  @Test(arguments: [1, 100, 4095, 4096, 4097, 20_000])
  func delaysAreCutOff(frameCount: Int) throws {
    let noise = TestSignal.noise(seed: 7, frameCount: frameCount)
    try Sound([noise, noise.reversed()]).write(to: folder("a.wav"))
    let result = try #require(try results(["a.wav"], units: [lookAhead, gain, lookAhead]).first)
    #expect(result.latencyFrameCount == 480)
    #expect(result.outputFrameCount == frameCount)
    #expect(try Sound(path: folder("out/a.wav")) == Sound([noise, noise.reversed()]))
  }

  @Test func delaysAreKeptWhenAsked() throws {
    let noise = TestSignal.noise(seed: 8, frameCount: 5000)
    try Sound([noise]).write(to: folder("a.wav"))
    var settings = JobSettings()
    settings.latency = .keep
    settings.tail = .none
    let result = try #require(try results(["a.wav"], units: [lookAhead], settings: settings).first)
    #expect(result.outputFrameCount == 5240)
    let output = try Sound(path: folder("out/a.wav")).channels[0]
    #expect(output[0..<240].allSatisfy { $0 == 0 })
    #expect(Array(output[240...]) == noise)
  }

  @Test func tailsAreAsLongAsAsked() throws {
    try Sound([TestSignal.noise(seed: 9, frameCount: 5000)]).write(to: folder("a.wav"))
    for (tail, frames) in [
      (TailPolicy.keepLength, 5000), (.seconds(0), 5000), (.seconds(0.5), 29_000),
    ] {
      var settings = JobSettings()
      settings.tail = tail
      settings.overwrite = true
      let result = try #require(
        try results(["a.wav"], units: [lookAhead], settings: settings).first)
      #expect(result.outputFrameCount == frames)
      #expect(result.tailFrameCount == frames - 5000)
    }
  }

  @Test func theSameSoundGivesTheSameBytes() throws {
    for name in ["a.wav", "b.wav"] {
      try Sound([TestSignal.noise(seed: 10, frameCount: 9000)]).write(to: folder(name))
    }
    _ = try results(["a.wav", "b.wav"], units: [lookAhead, gain])
    let first = try Data(contentsOf: URL(fileURLWithPath: folder("out/a.wav")))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("out/b.wav"))) == first)
    // Nor does the size of slices show.
    var settings = JobSettings()
    settings.framesPerSlice = 333
    settings.overwrite = true
    _ = try results(["b.wav"], units: [lookAhead, gain], settings: settings)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("out/b.wav"))) == first)
  }

  @Test func formatsAreKeptOrChanged() throws {
    let sine = TestSignal.sine(frequency: 1000, sampleRate: 44_100, frameCount: 44_100)
    try Sound([sine, sine], sampleRate: 44_100).write(to: folder("a.aiff"), encoding: .pcm24)
    let kept = try #require(try results(["a.aiff"], units: [gain]).first)
    #expect(kept.outputFormat == kept.inputFormat)
    #expect(kept.outputFormat.encoding == .pcm24)

    var settings = JobSettings()
    settings.container = .flac
    settings.sampleRate = 48_000
    let changed = try #require(try results(["a.aiff"], units: [gain], settings: settings).first)
    #expect(changed.output == folder("out/a.flac"))
    #expect(changed.outputFormat.container == .flac)
    #expect(changed.outputFormat.encoding == .pcm24)
    #expect(changed.outputFrameCount == 48_000)
    let fit = SineFit(
      try Sound(path: changed.output).channels[0][4000..<44_000], frequency: 1000,
      sampleRate: 48_000)
    #expect(abs(fit.amplitude - 0.5) < 0.001)
    #expect(fit.signalToNoise > 100)
  }

  @Test func levelsAreTold() throws {
    let sine = TestSignal.sine(frequency: 100, frameCount: 48_000)
    try Sound([sine]).write(to: folder("a.wav"))
    let result = try #require(try results(["a.wav"], units: [gain]).first)
    #expect(abs((result.before.peakDecibels ?? 0) + 6.02) < 0.01)
    #expect(abs((result.before.rmsDecibels ?? 0) + 9.03) < 0.01)
    #expect(result.before == result.after)
  }

  @Test func aFailureCostsOneFile() throws {
    try Sound([TestSignal.sine(frequency: 100, amplitude: 0.3, frameCount: 5000)])
      .write(to: folder("a.wav"))
    try Sound([TestSignal.sine(frequency: 100, amplitude: 0.9, frameCount: 5000)])
      .write(to: folder("b.wav"))
    try folder.write("no sound at all", to: "c.wav")
    try Sound([TestSignal.silence(frameCount: 100)]).write(to: folder("d.wav"))
    try Sound([[]]).write(to: folder("e.wav"))
    let summary = try run(["a.wav", "b.wav", "c.wav", "d.wav", "e.wav"], units: [broken])
    #expect(summary.doneCount == 2)
    #expect(summary.category == .someFilesFailed)
    #expect(summary.failures.map(\.input) == ["b.wav", "c.wav", "e.wav"].map { folder($0) })
    #expect(summary.failures[0].error.message.contains("unit 1"))
    #expect(summary.failures[1].error.category == .badData)
    #expect(summary.failures[2].error.category == .badData)
    #expect(try TemporaryFolderListing.names(folder("out")) == ["a.wav", "d.wav"])
  }

  @Test func interruptionLeavesNothingUnfinished() throws {
    for name in ["a.wav", "b.wav", "c.wav"] {
      try Sound([TestSignal.noise(seed: 3, frameCount: 50_000)]).write(to: folder(name))
    }
    var done = 0
    var isInSecond = false
    let summary = try run(
      ["a.wav", "b.wav", "c.wav"], units: [gain], shouldStop: { isInSecond },
      observe: {
        switch $0 {
        case .finished: done += 1
        case .advanced(let index, _, _, _) where index == 1: isInSecond = true
        default: break
        }
      })
    #expect(summary.wasInterrupted)
    #expect(summary.category == .interrupted)
    #expect(done == 1)
    #expect(try TemporaryFolderListing.names(folder("out")) == ["a.wav"])
  }

  @Test(arguments: [nil, -1.0, -20]) func progressCountsWhatComesAfterTheRendering(
    ceiling: Double?
  ) throws {
    let frameCount = 100_000
    try Sound([TestSignal.noise(seed: 5, amplitude: 0.5, frameCount: frameCount)])
      .write(to: folder("a.wav"))
    var settings = JobSettings()
    settings.tail = .none
    if ceiling != nil { settings.deliverables[0].loudness = -23 }
    settings.deliverables[0].truePeak = ceiling
    var told: [(fraction: Double, seconds: Double)] = []
    _ = try run(
      ["a.wav"], units: [gain], settings: settings,
      observe: {
        if case .advanced(_, _, let fraction, let seconds) = $0 { told.append((fraction, seconds)) }
      })
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.fraction <= $1.fraction }, "\(told)")
    #expect(told.allSatisfy { (0...1).contains($0.fraction) }, "\(told)")
    let steps = zip(told, told.dropFirst()).map { $1.fraction - $0.fraction }
    #expect((steps.max() ?? 1) < 0.1, "a jump: \(told)")
    let last = try #require(told.last)
    #expect(last.fraction > 0.95)
    #expect(abs(last.seconds - last.fraction * Double(frameCount) / 48_000) < 0.01, "\(last)")
  }

  @Test func oneFailedFileGivesItsOwnCode() throws {
    let missing = try run(["nowhere.wav"], units: [gain])
    #expect(missing.category == .noInput)
    try folder.write("no sound", to: "bad.wav")
    #expect(try run(["bad.wav"], units: [gain]).category == .badData)
    #expect(try run(["bad.wav", "nowhere.wav"], units: [gain]).category == .someFilesFailed)
  }
}

enum TemporaryFolderListing {
  /// All names in a folder, hidden ones too.
  static func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
