// One file through one chain for a listener: the frames of the offline result, slice by slice.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import CHostSystem
import Glibc
package import ResultSettings
package import UnitChains

/// The receiver of a rendering's frames.
protocol RenderedSink: AnyObject {
  /// Receives frames; the pointers may be advanced.
  func write(_ rows: ChannelRows, _ count: Int) throws(AuricleError)
  /// Receives the number of frames by which all come late, before the first one.
  func setDelay(_ frames: Int)
}

/// A file that is rendered for listening: sample by sample the result of a run with the same
/// settings.
///
/// Steps of a run on finished results are left out: levels, fades, trimming of silence, other rates.
/// Context: one control thread.
package final class PlayedFile {
  /// Frames a second (Hz).
  package let sampleRate: Double
  /// Channels that come out.
  package let channelCount: Int
  /// Seconds of the whole file; nil where it does not declare them.
  package let seconds: Double?
  /// Where it begins in the file, in seconds.
  package let startSeconds: Double
  /// Where the whole sounds of offline units lie.
  private let memory = MemoryFile()
  private let sink: ClosureSink
  private var rendering: JobRendering

  /// Opens a file and makes its chain.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - settings: Tail, latency, track, and where it begins.
  ///   - inputFactor: The gain in front of the chain, linear; see `inputFactor(of:_:)`.
  ///   - makeChain: Makes the chain for it.
  /// - Throws: As `AudioFileReader`, or the chain's failure; `.badData` for a start behind its end.
  package init(
    _ path: String, settings: JobSettings, inputFactor: Float = 1,
    makeChain: (ChainSpecification) throws(AuricleError) -> UnitChain
  ) throws(AuricleError) {
    let reader = try Self.open(path, settings)
    let range = try InputRange(settings, of: reader)
    let format = reader.format
    let chain = try makeChain(
      ChainSpecification(
        sampleRate: format.sampleRate,
        channelCount: settings.chainChannelCount(for: format.channelCount),
        maximumFrameCount: settings.framesPerSlice, inputFrameCount: range.count,
        inputStart: range.start))
    guard !chain.needsSignalLevels else {
      throw AuricleError(
        .badData,
        "\(path) cannot be played through this chain, whose noise needs the level of the whole file: "
          + "auricle process renders it, and the result can be played")
    }
    if chain.worksOnWholeSounds {
      _ = try WholeSoundRendering(
        range: range, settings: settings, inputFactor: inputFactor, shouldStop: { false },
        openInput: { () throws(AuricleError) in try Self.open(path, settings) },
        spool: memory.descriptor, path: path
      ).prepare(chain)
    }
    sampleRate = format.sampleRate
    channelCount = chain.channelCount
    seconds =
      (chain.wholeFrameCount.map { $0 + range.start } ?? reader.frameCount).map {
        Double($0) / format.sampleRate
      }
    startSeconds = Double(range.start) / format.sampleRate
    sink = ClosureSink(channelCount: chain.channelCount)
    rendering = JobRendering(
      reader: reader, chain: chain, range: range, output: sink, settings: settings,
      inputFactor: inputFactor)
  }

  private static func open(
    _ path: String, _ settings: JobSettings
  ) throws(AuricleError) -> AudioFileReader {
    try AudioFileReader(
      descriptor: InputFile.open(path), path: path, raw: settings.rawInput, track: settings.track,
      isTolerant: settings.isTolerant)
  }

  /// Returns the linear gain that brings a file to the loudness that a preset expects of its input.
  ///
  /// All of the file is read. The gain is 1 where the settings have no such loudness, or the file has none.
  ///
  /// - Throws: As `AudioFileReader`.
  package static func inputFactor(
    of path: String, _ settings: JobSettings
  ) throws(AuricleError) -> Float {
    guard let target = settings.inputLoudness else { return 1 }
    let reader = try open(path, settings)
    let range = try InputRange(settings, of: reader)
    return try InputLevel(of: reader, range, to: target, settings) { () throws(AuricleError) in }
      .factor
  }

  /// Renders the next slice; false when all is done.
  ///
  /// - Parameter take: Receives a pointer a channel and the number of frames; may be called several times.
  package func step(
    _ consume: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>, Int) throws(AuricleError) -> Void
  ) throws(AuricleError) -> Bool {
    let more = try rendering.step()
    try unsafe sink.drain(consume)
    return more
  }
}

/// A file in memory; its descriptor is -1 where there is none.
private final class MemoryFile {
  let descriptor = AuricleMakeMemoryFile()

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// A sink that keeps the frames of one step until they are fetched.
private final class ClosureSink: RenderedSink {
  let channelCount: Int
  private var kept: [(buffer: PlanarBuffer, count: Int)] = []

  init(channelCount: Int) { self.channelCount = channelCount }

  func write(_ rows: ChannelRows, _ count: Int) throws(AuricleError) {
    guard count > 0 else { return }
    let buffer = PlanarBuffer(channelCount: channelCount, frameCapacity: count)
    for channel in 0..<channelCount {
      unsafe buffer.rows[channel].update(from: rows[channel], count: count)
    }
    kept.append((buffer, count))
  }

  func setDelay(_ frames: Int) {}

  func drain(
    _ consume: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>, Int) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let all = kept
    kept = []
    for (buffer, count) in all { try unsafe consume(buffer.rows, count) }
  }
}
