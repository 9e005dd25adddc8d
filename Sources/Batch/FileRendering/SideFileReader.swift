// Reads the file of a side chain at the chain's sample rate and channels.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import UnitChains

/// Reads an audio file from its start, converted to a sample rate and a number of channels.
///
/// One channel receives the mean of all; further channels repeat those of the file.
final class SideFileReader: SideFile {
  private static let blockFrames = 4096

  private let path: String
  private let sampleRate: Double
  private let channelCount: Int
  private var reader: AudioFileReader
  private var converter: SampleRateConverter?
  /// Frames as read, and converted frames not returned yet.
  private let raw: PlanarBuffer
  private let ready: PlanarBuffer
  private var rawCount = 0
  private var rawUsed = 0
  private var readyCount = 0
  private var readyUsed = 0
  private var hasEnded = false

  /// Opens a file for a chain; the note says how it is adapted, nil if not.
  package static func open(
    _ path: String, _ sampleRate: Double, _ channelCount: Int
  ) throws(AuricleError) -> (file: any SideFile, note: String?) {
    let file = try SideFileReader(path, sampleRate: sampleRate, channelCount: channelCount)
    let format = file.reader.format
    var changes: [String] = []
    if format.sampleRate != sampleRate {
      changes.append(
        "converted from \(Self.text(format.sampleRate)) to \(Self.text(sampleRate)) Hz")
    }
    if format.channelCount != channelCount {
      let (from, to) = (format.channelCount, channelCount)
      let how =
        to == 1
        ? "the mean is used" : to < from ? "the first \(to) are used" : "they are repeated"
      changes.append("\(from) \(from == 1 ? "channel" : "channels") for \(to): \(how)")
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return (file, changes.isEmpty ? nil : "\(name): \(changes.joined(separator: "; "))")
  }

  private static func text(_ rate: Double) -> String {
    rate == rate.rounded() ? String(Int(rate)) : String(rate)
  }

  private init(
    _ path: String, sampleRate: Double, channelCount: Int
  ) throws(AuricleError) {
    self.path = path
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    reader = try AudioFileReader(path: path)
    raw = PlanarBuffer(
      channelCount: reader.format.channelCount, frameCapacity: Self.blockFrames)
    ready = PlanarBuffer(
      channelCount: reader.format.channelCount, frameCapacity: Self.blockFrames)
    try makeConverter()
  }

  private func makeConverter() throws(AuricleError) {
    guard reader.format.sampleRate != sampleRate else { return }
    converter = try SampleRateConverter(
      from: reader.format.sampleRate, to: sampleRate, channelCount: reader.format.channelCount)
  }

  package var frameCount: Int? {
    reader.frameCount.map {
      SampleRateConverter.frameCount(of: $0, from: reader.format.sampleRate, to: sampleRate)
    }
  }

  package func rewind() throws(AuricleError) {
    reader = try AudioFileReader(path: path)
    try makeConverter()
    (rawCount, rawUsed, readyCount, readyUsed) = (0, 0, 0, 0)
    hasEnded = false
  }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> Int {
    var done = 0
    while done < frameCount {
      if readyUsed == readyCount {
        try refill()
        if readyCount == 0 { break }
      }
      let count = min(frameCount - done, readyCount - readyUsed)
      unsafe copyReady(channels, done, count)
      readyUsed += count
      done += count
    }
    return done
  }

  /// Copies converted frames to the requested channels.
  private func copyReady(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ count: Int
  ) {
    let sources = ready.channelCount
    for channel in 0..<channelCount {
      let target = unsafe channels[channel] + start
      if channelCount == 1, sources > 1 {
        let part = 1 / Float(sources)
        for frame in 0..<count {
          var sum: Float = 0
          for source in 0..<sources { unsafe sum += ready.rows[source][readyUsed + frame] }
          unsafe target[frame] = sum * part
        }
      } else {
        let source = unsafe ready.rows[channel % sources] + readyUsed
        unsafe target.update(from: source, count: count)
      }
    }
  }

  /// Reads and converts the next frames; none at the end.
  private func refill() throws(AuricleError) {
    readyUsed = 0
    readyCount = 0
    guard let converter else {
      readyCount = try unsafe reader.read(into: ready.rows, frameCount: Self.blockFrames)
      return
    }
    while readyCount == 0 {
      if rawUsed == rawCount, !hasEnded {
        rawUsed = 0
        rawCount = try unsafe reader.read(into: raw.rows, frameCount: Self.blockFrames)
        hasEnded = rawCount == 0
      }
      if hasEnded {
        readyCount = try unsafe converter.finish(into: ready.rows, capacity: Self.blockFrames)
        return
      }
      for channel in 0..<raw.channelCount {
        unsafe raw.cursor[channel] = unsafe raw.rows[channel] + rawUsed
      }
      let (used, supplied) = try unsafe converter.convert(
        raw.cursor, frameCount: rawCount - rawUsed, into: ready.rows, capacity: Self.blockFrames)
      rawUsed += used
      readyCount = supplied
      if used == 0, supplied == 0 {
        throw AuricleError(.software, "\(path): its sample rate cannot be converted further")
      }
    }
  }
}
