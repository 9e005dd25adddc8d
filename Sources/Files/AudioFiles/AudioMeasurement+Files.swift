// Measures a whole file.
// SPDX-License-Identifier: Apache-2.0

public import AudioConversion
public import AudioTypes

extension AudioMeasurement {
  /// Measures a whole file, slice by slice.
  ///
  /// Errors: as those of `AudioFileReader`.
  public static func measure(
    path: String, isDualMono: Bool = false, measuresTruePeak: Bool = false
  ) throws(AuricleError) -> AudioMeasurement {
    try AudioMeter.read(
      AudioFileReader(path: path), isDualMono: isDualMono, measuresTruePeak: measuresTruePeak
    ).measurement
  }
}

extension AudioMeter {
  /// Reads a file from the position of its reader to its end.
  ///
  /// Errors: as those of `AudioFileReader`.
  package static func read(
    _ reader: AudioFileReader, isDualMono: Bool = false, measuresTruePeak: Bool = false
  ) throws(AuricleError) -> AudioMeter {
    let meter = AudioMeter(
      sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount,
      channelMap: reader.metadata.channelMap, isDualMono: isDualMono,
      measuresTruePeak: measuresTruePeak)
    let rows = ChannelRows(
      channelCount: reader.format.channelCount,
      frameCapacity: sliceFrames(channelCount: reader.format.channelCount))
    while true {
      let count = try unsafe reader.read(into: rows.channels, frameCount: rows.frameCapacity)
      guard count > 0 else { break }
      unsafe meter.add(rows.channels, frameCount: count)
    }
    return meter
  }
}

/// Memory for a slice, one row a channel.
@safe final class ChannelRows {
  let channels: ChannelPointers
  let frameCapacity: Int
  private let memory: UnsafeMutablePointer<Float>

  init(channelCount: Int, frameCapacity: Int) {
    self.frameCapacity = frameCapacity
    unsafe memory = .allocate(capacity: channelCount * frameCapacity)
    unsafe memory.initialize(repeating: 0, count: channelCount * frameCapacity)
    unsafe channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (channels + channel).initialize(to: memory + channel * frameCapacity)
    }
  }

  deinit {
    unsafe channels.deallocate()
    unsafe memory.deallocate()
  }
}

extension AudioFileReader {
  /// Reads all remaining frames of a file that does not declare their number; returns the number.
  ///
  /// Errors: as `read`. Context: control.
  public func countFrames() throws(AuricleError) -> Int {
    let frames = sliceFrames(channelCount: format.channelCount)
    let rows = ChannelRows(channelCount: format.channelCount, frameCapacity: frames)
    while try unsafe read(into: rows.channels, frameCount: frames) > 0 {}
    return position
  }
}
