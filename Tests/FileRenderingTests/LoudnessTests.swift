// Levels of results: loudness and peaks as requested, measured by other code than the code that sets them.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConversion
import AudioFiles
import FileRendering
import FileTestSupport
import Foundation
import ResultSettings
import TestSupport
import Testing

@Suite struct LoudnessTests {
  let bench: SignalBench

  init() throws { bench = try SignalBench() }

  /// Signals of a kind, three seconds and more.
  private func sound(_ kind: String, _ rate: Double) -> Sound {
    let count = Int(3.5 * rate)
    func sine(_ frequency: Double, _ amplitude: Double) -> [Float] {
      (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / rate)) }
    }
    func noise(_ seed: UInt64, _ amplitude: Float) -> [Float] {
      TestSignal.noise(seed: seed, amplitude: amplitude, frameCount: count)
    }
    switch kind {
    case "noise": return Sound([noise(1, 0.4), noise(2, 0.2)], sampleRate: rate)
    case "sine": return Sound([sine(997, 0.02)], sampleRate: rate)
    case "near Nyquist": return Sound([sine(0.47 * rate, 0.9)], sampleRate: rate)
    case "clicks":
      var samples = noise(3, 0.01)
      for start in stride(from: 100, to: count - 100, by: Int(rate / 4)) {
        for index in 0..<60 { samples[start + index] += Float(0.6 * pow(-0.85, Double(index))) }
      }
      return Sound([samples], sampleRate: rate)
    case "bursts":
      let samples = noise(4, 0.9).enumerated().map { index, value in
        value * (Int(Double(index) / rate * 4) % 2 == 0 ? 1 : 0.05)
      }
      return Sound([samples, samples.reversed()], sampleRate: rate)
    default:
      return Sound((0..<6).map { noise(UInt64(10 + $0), 0.1) }, sampleRate: rate)
    }
  }

  @Test(
    arguments: ["noise", "sine", "near Nyquist", "clicks", "bursts", "5.1"],
    [44_100.0, 48_000, 96_000])
  func theLoudnessIsWhatWasAskedFor(kind: String, rate: Double) throws {
    let input = sound(kind, rate)
    let (result, output) = try bench.process(input) {
      $0.deliverables[0].loudness = -16
      $0.deliverables[0].truePeak = -1
    }
    #expect(output.frameCount == input.frameCount)
    let measured = output.judged()
    let loudness = try #require(measured.integrated)
    #expect(abs(loudness + 16) < 0.1, "\(kind): \(loudness) LUFS")
    #expect(try #require(measured.truePeak) < -0.9)
    for channel in output.channels.prefix(2) { #expect(channel.truePeakDecibels < -0.9) }
    let reported = try #require(result.loudnessAfter)
    #expect(abs(try #require(reported.integrated) - loudness) < 0.01)
    #expect(result.loudnessBefore?.integrated != nil)
    // The highest peak of the input is nobody's business.
    #expect(result.loudnessBefore?.truePeak == nil)
  }

  /// Samples of one sign meet samples of the other: interpolators of all lengths overshoot there.
  @Test(arguments: [44_100.0, 48_000, 96_000], [1, 2])
  func theLimiterHoldsWhatOthersMeasure(rate: Double, channels: Int) throws {
    let count = Int(1.2 * rate)
    let rows = (0..<channels).map { channel in
      let noise = TestSignal.noise(seed: UInt64(60 + channel), amplitude: 1, frameCount: count)
      return noise.enumerated().map { index, value -> Float in
        let part = index * 8 / count
        // Noise, squares of noise, and a quarter of the sample rate between its samples.
        if part < 3 { return value * 0.3 }
        if part < 6 { return value < 0 ? -0.3 : 0.3 }
        return 0.4 * ([1, 1, -1, -1] as [Float])[index % 4]
      }
    }
    let (result, output) = try bench.process(Sound(rows, sampleRate: rate)) {
      $0.deliverables[0].loudness = channels == 1 ? -5 : -2
      $0.deliverables[0].truePeak = -1
    }
    #expect(try #require(output.judged().truePeak) < -0.98)
    #expect(try #require(result.loudnessAfter?.truePeak) < -0.98)
    #expect(try #require(result.levelChange).reduction > 0)
  }

  @Test func theLimiterTurnsUpEvenly() throws {
    // As the pauses between words do to the level: the gain never falls without a peak.
    let count = 96_000
    let soft = (0..<count).map { Float(0.05 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
    var samples = soft
    for start in [20_000, 50_000] {
      for index in start..<(start + 2400) {
        samples[index] = Float(0.9 * sin(2 * .pi * 440 * Double(index) / 48_000))
      }
    }
    let (_, output) = try bench.process(Sound([samples])) { $0.deliverables[0].truePeak = -12 }
    func gain(_ index: Int) -> Double {
      let window = index..<(index + 218)
      let after = window.reduce(0.0) { $0 + pow(Double(output.channels[0][$1]), 2) }
      let before = window.reduce(0.0) { $0 + pow(Double(samples[$1]), 2) }
      return 10 * log10(after / before)
    }
    #expect(abs(gain(19_000)) < 0.01)
    var last = -100.0
    for index in stride(from: 22_600, to: 49_000, by: 218) {
      let now = gain(index)
      #expect(now > last - 0.02, "\(index): \(now) after \(last)")
      last = now
    }
    // After three times 80 ms it is back within half a decibel, and then all of it.
    #expect(gain(22_400 + 11_520) > -0.6)
    #expect(gain(47_000) > -0.02)
  }

  @Test func theLimiterTurnsUpFasterWhereThatReachesTheTarget() throws {
    let count = 144_000
    var samples = TestSignal.noise(seed: 61, amplitude: 0.05, frameCount: count)
    for start in stride(from: 1000, to: count - 100, by: 6_000) {
      for index in 0..<20 { samples[start + index] = 0.9 * (index % 2 == 0 ? 1 : -1) }
    }
    let (result, _) = try bench.process(Sound([samples])) {
      $0.deliverables[0].loudness = -16
      $0.deliverables[0].truePeak = -1
    }
    let loudness = try #require(result.loudnessAfter?.integrated)
    #expect(abs(loudness + 16) < 0.1, "\(loudness): \(result.notes)")
  }

  @Test func limitsOfTheCeilingAreReported() throws {
    // A click as the only sound cannot be louder than the ceiling.
    var samples = [Float](repeating: 0, count: 96_000)
    for start in stride(from: 100, to: 96_000, by: 24_000) { samples[start] = 0.5 }
    let (result, output) = try bench.process(Sound([samples])) {
      $0.deliverables[0].loudness = -10
      $0.deliverables[0].truePeak = -3
    }
    #expect(output.channels[0].truePeakDecibels < -2.9)
    #expect(result.notes.contains { $0.contains("instead of -10.0 LUFS") }, "\(result.notes)")
  }

  /// A lossy file may hold more than full scale, and is clipped in playback. A ceiling that had to
  /// be lowered also lowers loudness.
  @Test func theLoudnessThatIsReportedIsThatOfTheFile() throws {
    for seed in 0..<6 {
      var noise = TestSignal.noise(seed: UInt64(seed), amplitude: 0.5, frameCount: 24_000)
      for index in noise.indices {
        noise[index] *= [1, 0.05, 0.2, 0.5, 0.1, 0.3][(index / 4000 + seed) % 6]
      }
      let (result, _) = try bench.process(Sound([noise], sampleRate: 8000)) {
        $0.deliverables[0].loudness = -5
        $0.deliverables[0].truePeak = -1
      }
      let loudness = try #require(result.loudnessAfter?.integrated)
      let tenths = Int((-loudness * 10).rounded())
      let text = "loudness -\(tenths / 10).\(tenths % 10) instead of -5.0 LUFS"
      #expect(result.notes.contains { $0.hasPrefix(text) }, "\(loudness): \(result.notes)")
    }
  }

  /// Numbers below those of full precision cost a processor a hundred times as long.
  @Test func theFaintestNumbersCostNoMoreThanOthers() throws {
    func clock() -> Double {
      var time = timespec()
      unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    func seconds(_ amplitude: Float) throws -> Double {
      let noise = TestSignal.noise(seed: 1, amplitude: 1, frameCount: 480_000)
      let sound = Sound([noise.map { $0 * amplitude }])
      // The processor's time of this thread: a busy machine makes it no longer.
      let start = clock()
      _ = try bench.process(sound) { $0.deliverables[0].loudness = -16 }
      return clock() - start
    }
    let usual = try seconds(0.1)
    #expect(try seconds(Float.leastNormalMagnitude / 100) < 6 * usual + 0.5)
  }

  @Test(arguments: [AudioContainer.mp3, .opus, .ogg])
  func noCodedFileIsBroughtBeyondFullScale(container: AudioContainer) throws {
    let (result, _) = try bench.process(sound("clicks", 48_000)) {
      $0.deliverables[0].loudness = -10
      $0.deliverables[0].container = container
    }
    let peak = try #require(result.loudnessAfter?.truePeak)
    #expect(peak <= 0.01, "\(peak) dBTP")
  }

  /// The peaks that an encoder adds are not known before; a gain that was lowered too much comes back.
  @Test(.enabled(if: CodecLibrary.path != nil, "the FFmpeg codec is not built"), arguments: 1...3)
  func aCodedFileIsNoSofterThanItsCeilingAsks(seed: UInt64) throws {
    let rate = 96_000.0
    var (state, low) = (seed &* 0x9E37_79B9_7F4A_7C15, 0.0)
    let noise = (0..<480_000).map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      low = 0.98 * low + Double(state >> 40) / 8_388_608 - 1
      let swell = 0.02 * (0.55 + 0.45 * sin(2 * .pi * 3.4 * Double(index) / rate))
      return Float(Int(max(-1, min(1, low * swell)) * 32_767)) / 32_768
    }
    let (result, _) = try bench.process(Sound([noise, noise], sampleRate: rate)) {
      $0.deliverables[0].loudness = -14
      $0.deliverables[0].truePeak = -1
      $0.deliverables[0].container = .m4a
      $0.deliverables[0].bitRate = 160_000
    }
    let after = try #require(result.loudnessAfter)
    let (loudness, peak) = (try #require(after.integrated), try #require(after.truePeak))
    #expect(peak < -0.94, "seed \(seed): \(peak) dBTP")
    #expect(abs(loudness + 14) < 0.2, "seed \(seed): \(loudness) LUFS, \(peak) dBTP")
  }

  @Test func loudSoundKeepsItsShapeWhereItIsSoft() throws {
    // Peaks are turned down in good time and back: no sample far from one is changed.
    var samples = [Float](repeating: 0, count: 96_000)
    for index in samples.indices { samples[index] = Float(0.1 * sin(Double(index) * 0.05)) }
    for index in 48_000..<48_010 { samples[index] = 1.5 }
    let (result, output) = try bench.process(Sound([samples])) {
      $0.deliverables[0].truePeak = -6
    }
    #expect(output.channels[0].truePeakDecibels < -5.9)
    #expect(Array(output.channels[0][..<47_500]) == Array(samples[..<47_500]))
    #expect(
      maximumDifference(Array(output.channels[0][90_000...]), Array(samples[90_000...])) < 1e-4)
    let change = try #require(result.levelChange)
    #expect(change.gain == 0)
    #expect(change.reduction > 9)
  }

  @Test func whatIsBelowTheCeilingStaysBitForBit() throws {
    let noise = TestSignal.noise(seed: 5, amplitude: 0.3, frameCount: 20_000)
    let (_, output) = try bench.process(Sound([noise])) { $0.deliverables[0].truePeak = -1 }
    #expect(output.channels[0] == noise)
  }

  @Test func silenceAndShortFilesKeepTheirLevel() throws {
    let short = TestSignal.noise(seed: 6, amplitude: 0.3, frameCount: 4800)
    let (result, output) = try bench.process(Sound([short])) { $0.deliverables[0].loudness = -16 }
    #expect(output.channels[0] == short)
    #expect(result.notes.contains { $0.hasPrefix("shorter than 0.4 s") })
    let (quiet, _) = try bench.process(Sound([[Float](repeating: 0, count: 48_000)])) {
      $0.deliverables[0].loudness = -16
    }
    #expect(quiet.notes.contains { $0.hasPrefix("too quiet") })
  }

  /// The tiny noise by which units keep themselves awake is not audible.
  @Test func theRestOfSilenceIsNotBroughtToALevel() throws {
    let rest = TestSignal.noise(seed: 8, amplitude: 1e-10, frameCount: 4800)
    let (result, output) = try bench.process(Sound([rest])) { $0.deliverables[0].peak = -1 }
    #expect(output.channels[0] == rest)
    #expect(result.notes == ["silent throughout: its level is left as it is"])
    let (low, _) = try bench.process(Sound([rest.map { $0 * 1e5 }])) {
      $0.deliverables[0].peak = -1
    }
    #expect(abs(try #require(low.after.peakDecibels) + 1) < 1e-4)
  }

  @Test func levelsOfEverySizeAreReported() throws {
    let (result, _) = try bench.process(Sound([[Float](repeating: 1e30, count: 4800)])) { _ in }
    #expect(abs(try #require(result.before.rmsDecibels) - 600) < 1e-3)
    #expect(abs(try #require(result.after.rmsDecibels) - 600) < 1e-3)
  }

  @Test(arguments: [0.0, -0.5, -20])
  func peaksAreNormalized(target: Double) throws {
    let noise = TestSignal.noise(seed: 7, amplitude: 0.123, frameCount: 30_000)
    let (result, output) = try bench.process(Sound([noise, noise.map { $0 / 2 }])) {
      $0.deliverables[0].peak = target
    }
    let highest = output.channels.flatMap { $0 }.map { abs($0) }.max() ?? 0
    #expect(abs(20 * log10(Double(highest)) - target) < 1e-4)
    #expect(abs(try #require(result.after.peakDecibels) - target) < 1e-4)
  }

  @Test func longSoundIsSpooledToTheDisk() throws {
    // Beyond the buffer in memory: 4 Mi samples.
    let noise = TestSignal.noise(seed: 8, amplitude: 0.1, frameCount: 2_200_000)
    let (_, output) = try bench.process(Sound([noise, noise])) { $0.deliverables[0].peak = 0 }
    let factor = 1 / (noise.map { abs($0) }.max() ?? 1)
    #expect(maximumDifference(output.channels[1], noise.map { $0 * factor }) < 1e-6)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder("out")) == ["in.wav"])
  }

  /// Soft passages that the gates leave out of a soft file count once it is made louder.
  @Test func gatesAreThoseOfTheResult() throws {
    // The last one lies below -70 LUFS, and drags the second one's gate down where it does not.
    let passages: [(amplitude: Float, seconds: Int)] = [(0.008, 2), (0.0014, 3), (0.0002, 12)]
    let samples = passages.enumerated().flatMap { index, passage in
      TestSignal.noise(
        seed: UInt64(31 + index), amplitude: passage.amplitude,
        frameCount: passage.seconds * 48_000)
    }
    let (result, output) = try bench.process(Sound([samples])) {
      $0.deliverables[0].loudness = -16
    }
    #expect(abs(try #require(output.judged().integrated) + 16) < 0.02)
    // The difference alone would miss it.
    let before = try #require(result.loudnessBefore?.integrated)
    let gain = try #require(result.levelChange?.gain)
    #expect(abs(-16 - before - gain) > 0.1)
  }
}
