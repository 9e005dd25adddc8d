// A sound in planar memory through one chain, in place: the frames that a file of 32-bit floating point would hold.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import PlugInGuard
import RealtimeSupport
package import ResultSettings
import UnitChains

/// A sound in memory of the caller's: a row of samples for each channel.
///
/// Frame n of the result replaces frame n of the input, which has been read by then; frames behind the last of the
/// input are kept apart. Context: control.
@safe package struct PlanarSound {
  let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let channelCount: Int
  let frameCount: Int
  let sampleRate: Double

  /// Refuses numbers that no sound has.
  ///
  /// - Throws: `.usage`.
  package static func check(
    channelCount: Int, frameCount: Int, sampleRate: Double
  ) throws(AuricleError) {
    guard (1...64).contains(channelCount), frameCount > 0, frameCount <= 1 << 40,
      sampleRate >= 1, sampleRate <= 1e7
    else {
      throw AuricleError(.usage, "a sound has 1 to 64 channels, a frame and a sample rate")
    }
  }

  /// Names the memory, which has to stay as long as the sound is used.
  package init(
    rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int,
    sampleRate: Double
  ) {
    unsafe self.rows = rows
    self.channelCount = channelCount
    self.frameCount = frameCount
    self.sampleRate = sampleRate
  }

  /// The result of a rendering: its length, and the frames that have no place in the memory of the input.
  package struct Result {
    /// Frames of the result; fewer than the input's where the settings say so.
    package var frameCount = 0
    /// Rows of the frames behind the input's length.
    package var tail: [[Float]]
  }

  /// Renders the sound in place.
  ///
  /// - Parameters:
  ///   - settings: The settings of the result.
  ///   - shouldStop: Asked between slices; true ends the work.
  ///   - observe: Receives the number of frames that are read.
  ///   - makeChain: Makes the chain.
  /// - Returns: Nil, with the memory as it was, where the sound has to be a file. Settings may need a whole rendering or a
  ///   part of the input. A chain may have other channels or report its latency late. Samples may be no numbers.
  package func render(
    _ settings: JobSettings, shouldStop: () -> Bool, observe: (_ frameCount: Int) -> Void,
    makeChain: @escaping ChainMaker
  ) throws(JobFailure) -> Result? {
    guard settings.isForPlanarSound, areSamplesFinite else { return nil }
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    let chain = try attempt { () throws(AuricleError) in
      try makeChain(
        ChainSpecification(
          sampleRate: sampleRate, channelCount: settings.chainChannelCount(for: channelCount),
          maximumFrameCount: settings.framesPerSlice, inputFrameCount: frameCount, inputStart: 0))
    }
    guard chain.channelCount == channelCount, !chain.needsSignalLevels, chain.wholeSoundCount == 0,
      !chain.reportsLatencyLate || chain.hasSettledLatencies
    else { return nil }
    let sink = PlanarSink(self)
    try attempt { () throws(AuricleError) in
      let reader = PlanarInput(self)
      var rendering = JobRendering(
        reader: reader, chain: chain, range: try InputRange(settings, of: reader), output: sink,
        settings: settings, inputFactor: 1)
      while try rendering.step() {
        if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
        observe(rendering.inputFrameCount)
      }
    }
    return sink.result
  }

  private func attempt<Value>(
    _ body: () throws(AuricleError) -> Value
  ) throws(JobFailure) -> Value {
    do throws(AuricleError) { return try body() } catch {
      throw JobFailure(kind: FileJob.kind(of: error), error: error)
    }
  }

  private var areSamplesFinite: Bool {
    (0..<channelCount).allSatisfy { channel in
      let bits = unsafe SampleScan.magnitudeBits(rows[channel], count: frameCount)
      return bits < Int32(bitPattern: Float.infinity.bitPattern)
    }
  }
}

extension JobSettings {
  /// Whether a sound in memory needs nothing that only files have, and nothing of the whole result before its first frame.
  fileprivate var isForPlanarSound: Bool {
    guard deliverables.count == 1, let deliverable = deliverables.first else { return false }
    let isAlone = !deliverable.needsWhole && deliverable.randomLoudness == nil
    let isSame =
      deliverable.sampleRate == nil && deliverable.channelCount == nil
      && deliverable.firstChannel == nil
    let isWhole = start == nil && end == nil && crop == nil && silenceThreshold == nil
    let isPlain = inputLoudness == nil && !measuresLoudness && song == nil && rawInput == nil
    return isAlone && isSame && isWhole && isPlain && deliverable.encoding == .float32
  }
}

/// Reads the memory of a sound.
private final class PlanarInput: SoundInput {
  private let sound: PlanarSound
  private var position = 0

  init(_ sound: PlanarSound) { self.sound = sound }

  var path: String { "the array" }
  var format: AudioFileFormat {
    AudioFileFormat(
      container: .wav, encoding: .float32, sampleRate: sound.sampleRate,
      channelCount: sound.channelCount)
  }
  var frameCount: Int? { sound.frameCount }
  var likelyFrameCount: Int? { sound.frameCount }
  var metadata: AudioFileMetadata { AudioFileMetadata() }
  var notes: [String] { [] }
  var toleratedDamage: [String] { [] }
  var video: VideoTracks? { nil }

  func soundBitRate() -> Int? { nil }

  func read(
    into channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> Int {
    let count = min(frameCount, sound.frameCount - position)
    for channel in 0..<sound.channelCount {
      unsafe channels[channel].update(from: sound.rows[channel] + position, count: count)
    }
    position += count
    return count
  }
}

/// Writes a result over the memory of its input, and behind it.
private final class PlanarSink: RenderedSink {
  private let sound: PlanarSound
  private(set) var result: PlanarSound.Result

  init(_ sound: PlanarSound) {
    self.sound = sound
    result = PlanarSound.Result(tail: Array(repeating: [], count: sound.channelCount))
  }

  func setDelay(_ frames: Int) {}

  func write(_ rows: ChannelRows, _ count: Int) throws(AuricleError) {
    let inside = max(0, min(count, sound.frameCount - result.frameCount))
    for channel in 0..<sound.channelCount {
      let row = unsafe rows[channel]
      unsafe (sound.rows[channel] + min(result.frameCount, sound.frameCount)).update(
        from: row, count: inside)
      unsafe result.tail[channel].append(
        contentsOf: UnsafeBufferPointer(start: row + inside, count: count - inside))
    }
    result.frameCount += count
  }
}
