// Files through small units: alignment, tails, formats, failures, interruption.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import AudioUnits
import FileRendering
import FileTestSupport
import Foundation
import ResultSettings
import TestSupport
import TestUnits
import Testing
import UnitChains

@Suite struct FileJobTests {
  typealias MakeUnit = () throws(AuricleError) -> AudioUnit

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-job")
  }

  private func run(
    _ input: String, units: [MakeUnit], settings: JobSettings = JobSettings(),
    shouldStop: () -> Bool = { false }, observe: (JobProgress) -> Void = { _ in }
  ) throws -> FileResult {
    let name = settings.container.map {
      (input as NSString).deletingPathExtension + "." + $0.fileExtension
    }
    return try FileBench.run(
      folder(input), to: [folder("out/" + (name ?? input))], settings: settings,
      units: units.enumerated().map { ChainStage(label: "unit \($0 + 1)", makeUnit: $1) },
      shouldStop: shouldStop, observe: observe)
  }

  private let gain: MakeUnit = { () throws(AuricleError) in try TestUnits.gain() }
  private let lookAhead: MakeUnit = { () throws(AuricleError) in try TestUnits.lookAhead() }
  private let broken: MakeUnit = { () throws(AuricleError) in try TestUnits.broken() }

  @Test(arguments: [1, 100, 4095, 4096, 4097, 20_000])
  func delaysAreCutOff(frameCount: Int) throws {
    let noise = TestSignal.noise(seed: 7, frameCount: frameCount)
    try Sound([noise, noise.reversed()]).write(to: folder("a.wav"))
    let result = try run("a.wav", units: [lookAhead, gain, lookAhead])
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
    let result = try run("a.wav", units: [lookAhead], settings: settings)
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
      let result = try run("a.wav", units: [lookAhead], settings: settings)
      #expect(result.outputFrameCount == frames)
      #expect(result.tailFrameCount == frames - 5000)
    }
  }

  @Test func theSameSoundProducesTheSameBytes() throws {
    for name in ["a.wav", "b.wav"] {
      try Sound([TestSignal.noise(seed: 10, frameCount: 9000)]).write(to: folder(name))
    }
    for name in ["a.wav", "b.wav"] { _ = try run(name, units: [lookAhead, gain]) }
    let first = try Data(contentsOf: URL(fileURLWithPath: folder("out/a.wav")))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("out/b.wav"))) == first)
    // Nor does the size of slices show.
    var settings = JobSettings()
    settings.framesPerSlice = 333
    _ = try run("b.wav", units: [lookAhead, gain], settings: settings)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("out/b.wav"))) == first)
  }

  @Test func formatsAreKeptOrChanged() throws {
    let sine = TestSignal.sine(frequency: 1000, sampleRate: 44_100, frameCount: 44_100)
    try Sound([sine, sine], sampleRate: 44_100).write(to: folder("a.aiff"), encoding: .pcm24)
    let kept = try run("a.aiff", units: [gain])
    #expect(kept.outputFormat == kept.inputFormat)
    #expect(kept.outputFormat.encoding == .pcm24)

    var settings = JobSettings()
    settings.container = .flac
    settings.sampleRate = 48_000
    let changed = try run("a.aiff", units: [gain], settings: settings)
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

  @Test func levelsAreReported() throws {
    let sine = TestSignal.sine(frequency: 100, frameCount: 48_000)
    try Sound([sine]).write(to: folder("a.wav"))
    let result = try run("a.wav", units: [gain])
    #expect(abs((result.before.peakDecibels ?? 0) + 6.02) < 0.01)
    #expect(abs((result.before.rmsDecibels ?? 0) + 9.03) < 0.01)
    #expect(result.before == result.after)
  }

  @Test func whoseFaultAFailureIs() throws {
    try Sound([TestSignal.sine(frequency: 100, amplitude: 0.3, frameCount: 5000)])
      .write(to: folder("a.wav"))
    try Sound([TestSignal.sine(frequency: 100, amplitude: 0.9, frameCount: 5000)])
      .write(to: folder("b.wav"))
    try folder.write("no sound at all", to: "c.wav")
    try Sound([[]]).write(to: folder("d.wav"))
    _ = try run("a.wav", units: [broken])
    let loud = try #require(throws: JobFailure.self) { try run("b.wav", units: [broken]) }
    #expect(loud.kind == .unit)
    #expect(loud.error.message.contains("unit 1"), "\(loud.error)")
    for name in ["c.wav", "d.wav"] {
      let failure = try #require(throws: JobFailure.self) { try run(name, units: [broken]) }
      #expect(failure.kind == .input && failure.error.category == .badData, "\(failure)")
    }
  }

  @Test func anInterruptionEndsTheFile() throws {
    try Sound([TestSignal.noise(seed: 3, frameCount: 50_000)]).write(to: folder("a.wav"))
    var isBegun = false
    let failure = try #require(throws: JobFailure.self) {
      try run("a.wav", units: [gain], shouldStop: { isBegun }, observe: { _ in isBegun = true })
    }
    #expect(isBegun)
    #expect(failure.kind == .interruption)
    #expect(failure.error.category == .interrupted)
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
    var reported: [(fraction: Double, seconds: Double)] = []
    _ = try run(
      "a.wav", units: [gain], settings: settings,
      observe: { reported.append(($0.fraction, $0.seconds)) })
    #expect(
      zip(reported, reported.dropFirst()).allSatisfy { $0.fraction <= $1.fraction }, "\(reported)")
    #expect(reported.allSatisfy { (0...1).contains($0.fraction) }, "\(reported)")
    let steps = zip(reported, reported.dropFirst()).map { $1.fraction - $0.fraction }
    #expect((steps.max() ?? 1) < 0.1, "a jump: \(reported)")
    let last = try #require(reported.last)
    #expect(last.fraction > 0.95)
    #expect(abs(last.seconds - last.fraction * Double(frameCount) / 48_000) < 0.01, "\(last)")
  }
}
