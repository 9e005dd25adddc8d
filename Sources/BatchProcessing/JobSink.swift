// Where the frames of a result go: through a change of sample rate, past the meter, into the file.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes

/// The output file of a job, with what comes before it.
final class JobSink {
  private let writer: AudioFileWriter
  private let converter: SampleRateConverter?
  private let buffer: PlanarBuffer?
  private var meter = LevelMeter()
  private let channelCount: Int
  private let gauge: LoudnessGauge?

  /// Where the file is written.
  enum Place {
    /// Beside its destination; it is named when it is complete.
    case path(overwrite: Bool)
    /// Into an open file that somebody else names.
    case descriptor(Int32)
  }

  init(
    _ place: Place, path: String, format: AudioFileFormat, inputRate: Double,
    metadata: AudioFileMetadata, expectedFrameCount: Int?, framesPerSlice: Int,
    measuresLoudness: Bool
  ) throws(AuricleError) {
    channelCount = format.channelCount
    gauge =
      measuresLoudness
      ? LoudnessGauge(
        sampleRate: format.sampleRate, channelCount: format.channelCount,
        channelMap: metadata.channelMap) : nil
    var expected = expectedFrameCount
    if format.sampleRate != inputRate {
      converter = try SampleRateConverter(
        from: inputRate, to: format.sampleRate, channelCount: format.channelCount)
      buffer = PlanarBuffer(channelCount: format.channelCount, frameCapacity: framesPerSlice)
      expected = expected.map {
        SampleRateConverter.frameCount(of: $0, from: inputRate, to: format.sampleRate)
      }
    } else {
      converter = nil
      buffer = nil
    }
    switch place {
    case .path(let overwrite):
      writer = try AudioFileWriter(
        path: path, format: format, metadata: metadata, overwrite: overwrite,
        expectedFrameCount: expected)
    case .descriptor(let descriptor):
      writer = try AudioFileWriter(
        descriptor: descriptor, path: path, format: format, metadata: metadata,
        expectedFrameCount: expected)
    }
  }

  /// Frames written.
  var frameCount: Int { writer.frameCount }

  /// Levels of what was written, before its samples were stored.
  var levels: Levels { meter.levels }

  /// Loudness of what was written, once all is; nil when it is not measured.
  var loudness: LoudnessFigures? { gauge?.finish() }

  /// What is worth telling about the file.
  var notes: [String] {
    var notes: [String] = []
    if writer.clippedSampleCount > 0 {
      notes.append(
        "\(writer.path): \(writer.clippedSampleCount) samples beyond full scale were clipped")
    }
    // Which loudspeaker is meant goes without saying for mono and stereo.
    let dropped = writer.droppedMetadata.filter { $0 != "channel map" || channelCount > 2 }
    if !dropped.isEmpty {
      notes.append(
        "\(writer.format.container.name) files have no place for "
          + dropped.joined(separator: ", ") + ": left out")
    }
    return notes
  }

  /// Takes frames; the pointers are moved on where the sample rate changes.
  func write(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) {
    guard let converter, let buffer else { return try unsafe store(channels, frameCount) }
    var left = frameCount
    while left > 0 {
      let (taken, given) = try unsafe converter.convert(
        channels, frameCount: left, into: buffer.rows, capacity: buffer.frameCapacity)
      if given > 0 { try unsafe store(buffer.rows, given) }
      if taken == 0, given == 0 {
        throw AuricleError(.software, "the change of sample rate does not go on")
      }
      for channel in 0..<channelCount { unsafe channels[channel] += taken }
      left -= taken
    }
    // The caller counts on its pointers where it left them.
    for channel in 0..<channelCount { unsafe channels[channel] -= frameCount }
  }

  /// Completes the file and gives it its name.
  func finish() throws(AuricleError) {
    if let converter, let buffer {
      while true {
        let given = try unsafe converter.finish(into: buffer.rows, capacity: buffer.frameCapacity)
        if given == 0 { break }
        try unsafe store(buffer.rows, given)
      }
    }
    try writer.finish()
  }

  /// Removes what was written.
  func cancel() {
    writer.cancel()
  }

  private func store(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int
  ) throws(AuricleError) {
    unsafe meter.add(
      UnsafePointer(channels), channelCount: channelCount, frameCount: count)
    unsafe gauge?.add(channels, frameCount: count)
    try unsafe writer.write(channels, frameCount: count)
  }
}
