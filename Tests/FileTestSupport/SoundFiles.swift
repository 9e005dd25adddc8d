// Whole audio files, written and read in one go, for tests.
// SPDX-License-Identifier: Apache-2.0

public import AudioFiles

/// A sound in memory: one row a channel.
public struct Sound: Equatable, Sendable {
  /// Samples, one row a channel.
  public var channels: [[Float]]
  /// Frames a second, in Hz.
  public var sampleRate: Double

  /// Wraps rows of equal length.
  public init(_ channels: [[Float]], sampleRate: Double = 48_000) {
    self.channels = channels
    self.sampleRate = sampleRate
  }

  /// The number of frames.
  public var frameCount: Int { channels.first?.count ?? 0 }

  /// Writes a file; the container is that of the path's extension.
  public func write(
    to path: String, encoding: AudioEncoding = .float32, metadata: AudioFileMetadata = .init()
  ) throws {
    let format = AudioFileFormat(
      container: AudioContainer(path: path) ?? .wav, encoding: encoding, sampleRate: sampleRate,
      channelCount: channels.count)
    let writer = try AudioFileWriter(
      path: path, format: format, metadata: metadata, overwrite: true,
      expectedFrameCount: frameCount)
    let count = frameCount
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(count * channels.count, 1))
    var rows: [UnsafeMutablePointer<Float>] = unsafe []
    defer { unsafe memory.deallocate() }
    for (index, channel) in channels.enumerated() {
      let row = unsafe memory + index * count
      for (frame, sample) in channel.enumerated() { unsafe row[frame] = sample }
      unsafe rows.append(row)
    }
    try unsafe writer.write(&rows, frameCount: count)
    try writer.finish()
  }

  /// Reads a whole file.
  public init(path: String) throws {
    let reader = try AudioFileReader(path: path)
    let count = reader.format.channelCount
    let slice = 4096
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: slice * count)
    unsafe memory.initialize(repeating: 0, count: slice * count)
    defer { unsafe memory.deallocate() }
    var rows: [UnsafeMutablePointer<Float>] = unsafe []
    for index in 0..<count { unsafe rows.append(memory + index * slice) }
    var channels = [[Float]](repeating: [], count: count)
    while true {
      let got = try unsafe reader.read(into: &rows, frameCount: slice)
      for index in 0..<count {
        unsafe channels[index].append(
          contentsOf: UnsafeBufferPointer(start: memory + index * slice, count: got))
      }
      if got < slice { break }
    }
    self.init(channels, sampleRate: reader.format.sampleRate)
  }
}
