// Lengths, trims, fades, channels and rates of results.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import FileRendering
import FileTestSupport
import Foundation
import ResultSettings
import TestSupport
import Testing

@Suite struct EndsTests {
  let bench: SignalBench

  init() throws { bench = try SignalBench() }

  @Test(arguments: FadeCurve.allCases)
  func fadesFollowTheirCurve(curve: FadeCurve) throws {
    let ones = [Float](repeating: 0.5, count: 48_000)
    let (_, output) = try bench.process(Sound([ones, ones])) {
      $0.deliverables[0].fadeIn = 0.25
      $0.deliverables[0].fadeOut = 0.5
      $0.deliverables[0].fadeCurve = curve
    }
    let row = output.channels[1]
    for frame in [0, 1, 100, 6000, 11_999, 12_000] {
      let expected = 0.5 * curve.gain(at: min(1, Double(frame) / 12_000))
      #expect(abs(Double(row[frame]) - expected) < 1e-6, "\(curve) \(frame)")
    }
    for left in [0, 1, 500, 12_000, 23_999, 24_000] {
      let expected = 0.5 * curve.gain(at: min(1, Double(left) / 24_000))
      #expect(abs(Double(row[47_999 - left]) - expected) < 1e-6, "\(curve) \(left)")
    }
    #expect(row[20_000] == 0.5)
    #expect(curve.gain(at: 0) == 0)
    #expect(curve.gain(at: 1) == 1)
  }

  /// iXML states sample rates, so it stays with the sound that has them.
  @Test func productionXMLStaysWithItsRate() throws {
    var metadata = AudioFileMetadata()
    metadata.productionXML = Array("<BWFXML><SCENE>12</SCENE></BWFXML>".utf8)
    let sound = Sound([[Float](repeating: 0.5, count: 4800)])
    let note = "iXML refers to the sample rate before: left out"
    for (rate, container, notes) in [
      (48_000, AudioContainer.wav, []), (24_000, .wav, [note]),
      (48_000, .flac, ["flac files have no place for iXML: left out"]), (24_000, .flac, [note]),
    ] {
      let (result, _) = try bench.process(sound, encoding: .pcm16, metadata: metadata) {
        $0.deliverables[0].sampleRate = Double(rate)
        $0.container = container
      }
      #expect(result.notes.filter { $0.contains("iXML") } == notes, "\(rate) \(container)")
      let found = try AudioFileReader(path: result.output).metadata.productionXML
      #expect(found == (notes.isEmpty ? metadata.productionXML : []))
    }
  }

  @Test func fadesLongerThanTheFileAreAsLongAsIt() throws {
    let (_, output) = try bench.process(Sound([[Float](repeating: 1, count: 1000)])) {
      $0.deliverables[0].fadeIn = 10
    }
    #expect(abs(output.channels[0][500] - 0.5) < 1e-6)
  }

  @Test func partsOfTheInputAreProcessed() throws {
    let ramp = (0..<48_000).map { Float($0) / 48_000 }
    func consume(_ start: String?, _ end: String?) throws -> [Float] {
      let (result, output) = try bench.process(Sound([ramp]), delays: true) {
        $0.start = start.flatMap(TimePosition.init(text:))
        $0.end = end.flatMap(TimePosition.init(text:))
      }
      #expect(result.inputFrameCount == output.frameCount)
      return output.channels[0]
    }
    #expect(try consume("0.25", "0.5") == Array(ramp[12_000..<24_000]))
    #expect(try consume("250ms", nil) == Array(ramp[12_000...]))
    #expect(try consume(nil, "0:00.125") == Array(ramp[..<6000]))
    #expect(try consume("-0.25", "-0.125") == Array(ramp[36_000..<42_000]))
    #expect(try consume(nil, "7") == ramp)
  }

  @Test(arguments: [
    ("90", 90.0, false), ("1:30", 90, false), ("0:01:30.5", 90.5, false), ("500ms", 0.5, false),
    ("2 min", 120, false), ("-3", 3, true), (".5s", 0.5, false),
  ])
  func placesAreRead(text: String, seconds: Double, isFromEnd: Bool) {
    #expect(TimePosition(text: text) == TimePosition(seconds: seconds, isFromEnd: isFromEnd))
  }

  @Test(arguments: ["", "x", "1:", ":1", "1:60", "1:2:3:4", "--1", "nan", "inf", "1e", "1 h"])
  func whatIsNoPlaceIsRefused(text: String) {
    #expect(TimePosition(text: text) == nil)
  }

  @Test func silenceIsCutOffBothEnds() throws {
    var samples = [Float](repeating: 0.0001, count: 48_000)
    for index in 10_000..<30_000 { samples[index] = 0.3 }
    let (_, output) = try bench.process(Sound([samples, samples])) { $0.silenceThreshold = -60 }
    #expect(output.channels == [Array(samples[10_000..<30_000]), Array(samples[10_000..<30_000])])
    let (silent, whole) = try bench.process(Sound([[Float](repeating: 0, count: 5000)])) {
      $0.silenceThreshold = -60
    }
    #expect(whole.frameCount == 5000)
    #expect(silent.notes.contains { $0.contains("nothing is trimmed") })
  }

  @Test func marksMoveWithWhatIsCutOff() throws {
    var metadata = AudioFileMetadata()
    metadata.cuePoints = [
      AudioCuePoint(identifier: 1, frame: 100), AudioCuePoint(identifier: 2, frame: 12_500),
    ]
    let part = metadata.beginning(atFrame: 12_000, count: 1000)
    #expect(part.cuePoints.map(\.frame) == [500])
    // A region that begins before is shortened.
    metadata.cuePoints[0].length = 12_000
    let shortened = metadata.beginning(atFrame: 12_000, count: 1000)
    #expect(shortened.cuePoints.map(\.frame) == [0, 500])
    #expect(shortened.cuePoints.map(\.length) == [100, 0])
  }

  /// A click with a mark on it: after any processing, the mark lies on the click.
  @Test(arguments: [false, true], [48_000.0, 44_100, 96_000])
  func marksStayOnWhatTheyMark(trims: Bool, rate: Double) throws {
    for latency in [LatencyPolicy.compensate, .keep] {
      try marksStay(latency: latency, trims: trims, rate: rate)
    }
  }

  private func marksStay(latency: LatencyPolicy, trims: Bool, rate: Double) throws {
    var samples = [Float](repeating: 0, count: 48_000)
    for index in 0..<40 { samples[20_000 + index] = 0.5 }
    var metadata = AudioFileMetadata()
    metadata.cuePoints = [AudioCuePoint(identifier: 1, frame: 20_000, name: "here")]
    let (result, output) = try bench.process(
      Sound([samples]), delays: true, metadata: metadata
    ) {
      $0.latency = latency
      $0.deliverables[0].sampleRate = rate
      if trims { $0.start = TimePosition(seconds: 0.25) }
      // The same for files that are written when all is known.
      if trims { $0.silenceThreshold = -40 }
    }
    let reader = try AudioFileReader(path: result.output)
    let mark = try #require(reader.metadata.cuePoints.first)
    #expect(mark.name == "here")
    let click = try #require(output.channels[0].firstIndex { abs($0) > 0.25 })
    #expect(abs(Int(mark.frame) - click) <= 2, "\(mark.frame) and \(click)")
  }

  @Test(arguments: [
    (TailPolicy.none, LatencyPolicy.compensate, 5000), (.keepLength, .compensate, 5000),
    (.none, .keep, 5240), (.keepLength, .keep, 5000), (.seconds(0.1), .compensate, 9800),
  ])
  func lengthsAreAsAsked(tail: TailPolicy, latency: LatencyPolicy, frames: Int) throws {
    let noise = TestSignal.noise(seed: 1, frameCount: 5000)
    let (_, output) = try bench.process(Sound([noise]), delays: true) {
      $0.tail = tail
      $0.latency = latency
    }
    #expect(output.frameCount == frames)
  }

  @Test(arguments: [
    8000.0, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
  ])
  func ratesAreExactInLengthAndPlace(rate: Double) throws {
    for (other, quality) in zip(
      [44_100.0, 48_000, 96_000, 22_050, 32_000], SampleRateConverter.Quality.allCases)
    {
      // A soft pulse, half-way through.
      let count = Int(rate / 2) + 7
      let pulse = (0..<count).map { index in
        let seconds = Double(index) / rate - 0.25
        return Float(0.5 * exp(-pow(seconds / 0.001, 2)))
      }
      let (_, output) = try bench.process(Sound([pulse], sampleRate: rate)) {
        $0.deliverables[0].sampleRate = other
        $0.deliverables[0].resampleQuality = quality
      }
      #expect(output.frameCount == Int((Double(count) * other / rate).rounded()))
      var sum = 0.0
      var moment = 0.0
      for (index, value) in output.channels[0].enumerated() {
        sum += Double(value * value)
        moment += Double(value * value) * Double(index) / other
      }
      #expect(abs(moment / sum - 0.25) < 1e-5, "\(rate) to \(other), \(quality): \(moment / sum)")
    }
  }

  @Test func channelsAreAdapted() throws {
    let rows = (0..<6).map { channel in [Float](repeating: Float(channel + 1) / 10, count: 1000) }
    func adapt(_ input: [[Float]], _ count: Int) throws -> ([Float], [String]) {
      let (result, output) = try bench.process(Sound(input)) {
        $0.deliverables[0].channelCount = count
      }
      return (output.channels.map { $0[500] }, result.notes)
    }
    let (same, none) = try adapt(Array(rows[0..<2]), 2)
    #expect(same == [0.1, 0.2])
    #expect(none.isEmpty)
    let (mono, note) = try adapt(Array(rows[0..<2]), 1)
    #expect(abs(mono[0] - 0.15) < 1e-6)
    #expect(note == ["2 channels mixed to 1, their mean"])
    let (wide, twice) = try adapt([rows[2]], 2)
    #expect(wide == [0.3, 0.3])
    #expect(twice == ["1 channel on both of 2, before the chain"])
    // Left: front, centre and behind by BS.775, so loud that nothing can clip.
    let (stereo, reported) = try adapt(rows, 2)
    let half: Float = 0.707_106_77
    #expect(abs(stereo[0] - (0.1 + half * (0.3 + 0.5)) / (1 + 2 * half)) < 1e-6)
    #expect(abs(stereo[1] - (0.2 + half * (0.3 + 0.6)) / (1 + 2 * half)) < 1e-6)
    #expect(
      reported == [
        "6 channels mixed to 2 (ITU-R BS.775, 7.7 dB softer) without the low frequency channel"
      ])
    #expect(try adapt(Array(rows[0..<2]), 6).0 == [0.1, 0.2, 0, 0, 0, 0])
    #expect(try adapt([rows[0]], 6).0 == [0, 0, 0.1, 0, 0, 0])
  }

  /// That one file of a rendering is stereo makes no other one so.
  @Test func aFileKeepsItsChannelsBesideAWiderOne() throws {
    let samples = TestSignal.noise(seed: 4, amplitude: 0.25, frameCount: 5000)
    let (result, web) = try bench.process(Sound([samples])) {
      $0.deliverables = [DeliverableSettings(), DeliverableSettings()]
      $0.deliverables[0].name = "web"
      $0.deliverables[0].channelCount = 2
      $0.deliverables[1].name = "archive"
    }
    #expect(web.channels == [samples, samples])
    let archive = try #require(result.others.first)
    #expect(archive.format.channelCount == 1)
    #expect(try Sound(path: archive.path).channels == [samples])
  }

  /// The reported levels of a file are those of its contents.
  @Test(arguments: [AudioEncoding.pcm16, .float32])
  func levelsAreThoseOfTheFile(encoding: AudioEncoding) throws {
    let samples = TestSignal.sine(
      frequency: 997, amplitude: 2, sampleRate: 48_000, frameCount: 96_000)
    let (result, output) = try bench.process(Sound([samples, samples])) {
      $0.deliverables[0].encoding = encoding
      $0.measuresLoudness = true
    }
    let file = try AudioMeasurement.measure(path: result.output, measuresTruePeak: true)
    #expect((try #require(output.channels[0].max()) > 1) == (encoding == .float32))
    #expect(abs(try #require(result.after.peakDecibels) - (file.samplePeak ?? 0)) < 0.01)
    let loudness = try #require(result.loudnessAfter)
    #expect(abs(try #require(loudness.integrated) - (file.integratedLoudness ?? 0)) < 0.05)
    #expect(abs(try #require(loudness.truePeak) - (file.truePeak ?? 0)) < 0.4)
    #expect(result.notes.contains { $0.contains("were clipped") } == (encoding == .pcm16))
  }

  /// Every channel keeps its loudspeaker, and one without a loudspeaker goes to the nearest ones.
  @Test func channelsKeepTheirLoudspeakers() throws {
    func adapt(_ count: Int, _ other: Int) throws -> ([Float], [String]) {
      let rows = (0..<count).map { [Float](repeating: Float(1 << $0) / 512, count: 100) }
      let (result, output) = try bench.process(Sound(rows)) {
        $0.deliverables[0].channelCount = other
      }
      return (output.channels.map { $0[50] * 512 }, result.notes)
    }
    #expect(try adapt(5, 6) == ([1, 2, 4, 0, 8, 16], ["5 channels and 1 silent one"]))
    #expect(try adapt(4, 6) == ([1, 2, 0, 0, 4, 8], ["4 channels and 2 silent ones"]))
    #expect(
      try adapt(6, 5)
        == ([1, 2, 4, 16, 32], ["5 of 6 channels without the low frequency channel"]))
    // Those at the sides go behind, 3 dB softer.
    let (five, note) = try adapt(8, 6)
    let half: Float = 0.707_106_77
    let all = [1, 2, 4, 8, 16 + 64 * half, 32 + 128 * half].map { $0 / (1 + half) }
    #expect(zip(five, all).allSatisfy { abs($0 - $1) < 1e-3 }, "\(five)")
    #expect(note == ["8 channels mixed to 6 (ITU-R BS.775, 4.6 dB softer)"])
    let (four, _) = try adapt(3, 4)
    let front = [1 + 4 * half, 2 + 4 * half, 0, 0].map { $0 / (1 + half) }
    #expect(zip(four, front).allSatisfy { abs($0 - $1) < 1e-3 }, "\(four)")
  }

  @Test func placesOfChannelsGoIntoWAV() throws {
    let rows = (0..<4).map { channel in [Float](repeating: Float(channel) / 10, count: 100) }
    var metadata = AudioFileMetadata()
    // Left, right, and the two behind: in plain WAV there is no room for that.
    metadata.channelMap = [2, 3, 9, 10]
    let (result, output) = try bench.process(Sound(rows), metadata: metadata) {
      $0.deliverables[0].container = .wav
    }
    #expect(output.channels == rows)
    #expect(result.notes.isEmpty)
    let reader = try AudioFileReader(path: result.output)
    #expect(reader.metadata.channelMap == [2, 3, 9, 10])
    #expect(reader.format.container == .wavex)
  }

  /// A file of whole blocks is longer than its sound, unless it has a place for the exact length.
  @Test(arguments: [
    (AudioContainer.w64, AudioEncoding.msADPCM, true), (.w64, .gsm610, true),
    (.aiff, .imaADPCM, true), (.au, .g721, true), (.wav, .nmsADPCM16, true), (.paf, .pcm24, true),
    (.wav, .msADPCM, false), (.wav, .imaADPCM, false), (.w64, .pcm24, false),
    (.mp3, .mpegLayer3, false),
  ])
  func aFilledBlockIsReported(
    container: AudioContainer, encoding: AudioEncoding, isFilled: Bool
  ) throws {
    let noise = TestSignal.noise(seed: 5, amplitude: 0.2, frameCount: 10_001)
    let (result, output) = try bench.process(Sound([noise], sampleRate: 8_000)) {
      $0.deliverables[0].container = container
      $0.deliverables[0].encoding = encoding
    }
    let note =
      "\(container.name) files with \(encoding.name) hold whole blocks and cannot store the length "
      + "of the sound: longer by \(output.frameCount - 10_001) frames"
    #expect((output.frameCount > 10_001) == isFilled)
    #expect(result.notes == (isFilled ? [note] : []))
  }

  @Test func severalFilesComeFromOneRendering() throws {
    let noise = TestSignal.noise(seed: 3, amplitude: 0.2, frameCount: 48_000)
    let (result, first) = try bench.process(Sound([noise, noise])) {
      var web = DeliverableSettings()
      web.name = "web"
      web.container = .flac
      web.encoding = .pcm16
      web.loudness = -20
      web.channelCount = 1
      var low = DeliverableSettings()
      low.name = "low"
      low.sampleRate = 16_000
      $0.deliverables[0].name = "master"
      $0.deliverables += [web, low]
    }
    #expect(result.name == "master")
    #expect(first.channels == [noise, noise])
    #expect(result.others.map(\.name) == ["web", "low"])
    let web = try Sound(path: bench.folder("out/in-web.flac"))
    #expect(web.channels.count == 1)
    let loudness = try AudioMeasurement.measure(path: bench.folder("out/in-web.flac"))
    #expect(abs(try #require(loudness.integratedLoudness) + 20) < 0.1)
    #expect(try Sound(path: bench.folder("out/in-low.wav")).frameCount == 16_000)
  }
}
