// Reads the samples of a WAVE file as they are stored.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem

/// A WAVE or RF64 file of linear samples, read from its start to its end. Context: one thread.
package final class WaveReader {
  /// The format of the stored samples.
  package let format: PCMFormat
  /// Frames a second (Hz).
  package let sampleRate: Double
  /// Channels.
  package let channelCount: Int
  /// Start of the sound.
  package let firstByte: Int
  /// Frames of all of it.
  package var frameCount: Int64 { Int64((end - firstByte) / (format.byteCount * channelCount)) }
  private let descriptor: Int32
  private var place: Int
  private let end: Int

  /// Opens a file.
  ///
  /// - Throws: `.noInput` where it is missing, `.inputOutput` where it cannot be read, `.badData` where it is no
  ///   such file.
  package init(path: String) throws(AuricleError) {
    let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else {
      if errno == ENOENT { throw AuricleError(.noInput, "there is no file \(path)") }
      throw systemError(errno, "read", path)
    }
    guard let layout = Self.layout(opened) else {
      Glibc.close(opened)
      throw AuricleError(
        .badData,
        "\(path) is no WAVE file of 16, 24 or 32-bit samples, which a device of files records from: "
          + "auricle process --container wav makes one of it")
    }
    descriptor = opened
    (format, sampleRate, channelCount) = (layout.format, layout.sampleRate, layout.channelCount)
    (firstByte, place, end) = (layout.first, layout.first, layout.end)
  }

  deinit { Glibc.close(descriptor) }

  private struct Layout {
    var format: PCMFormat
    var sampleRate: Double
    var channelCount: Int
    var first: Int
    var end: Int
  }

  /// Finds the description and the sound; nil for anything else.
  private static func layout(_ descriptor: Int32) -> Layout? {
    let length = Int(lseek(descriptor, 0, SEEK_END))
    guard let head = bytes(descriptor, 0, 12), text(head, 8) == "WAVE",
      ["RIFF", "RF64"].contains(text(head, 0))
    else { return nil }
    var place = 12
    var found: (format: PCMFormat, rate: Int, channels: Int)?
    var largeSize: Int?
    while place + 8 <= length, let chunk = bytes(descriptor, place, 8) {
      let size = number(chunk, 4, 4)
      switch text(chunk, 0) {
      case "ds64": largeSize = bytes(descriptor, place + 8, 24).map { number($0, 8, 8) }
      case "fmt ": found = bytes(descriptor, place + 8, min(size, 40)).flatMap(description)
      case "data":
        guard let found else { return nil }
        let frame = found.format.byteCount * found.channels
        let declared = size == 0xFFFF_FFFF ? largeSize ?? .max : size
        let room = max(0, length - place - 8)
        return Layout(
          format: found.format, sampleRate: Double(found.rate), channelCount: found.channels,
          first: place + 8, end: place + 8 + min(declared, room) / frame * frame)
      default: break
      }
      place += 8 + size + size % 2
    }
    return nil
  }

  private static func description(_ chunk: [UInt8]) -> (PCMFormat, Int, Int)? {
    guard chunk.count >= 16 else { return nil }
    var code = number(chunk, 0, 2)
    if code == 0xFFFE, chunk.count >= 26 { code = number(chunk, 24, 2) }
    let channels = number(chunk, 2, 2), rate = number(chunk, 4, 4)
    let format: PCMFormat? =
      switch (code, number(chunk, 14, 2)) {
      case (1, 16): .signed16Little
      case (1, 24): .packed24Little
      case (1, 32): .signed32Little
      case (3, 32): .float32Little
      default: nil
      }
    guard let format, (1...64).contains(channels), rate > 0,
      number(chunk, 12, 2) == format.byteCount * channels
    else { return nil }
    return (format, rate, channels)
  }

  private static func bytes(_ descriptor: Int32, _ place: Int, _ count: Int) -> [UInt8]? {
    guard count >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let done = retrying { unsafe pread(descriptor, &bytes, count, off_t(place)) }
    return done == count ? bytes : nil
  }

  private static func text(_ bytes: [UInt8], _ place: Int) -> String {
    String(decoding: bytes[place..<(place + 4)], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  /// Reads frames as they are stored; how many there were, 0 at the end, or a negated `errno`.
  package func read(_ memory: UnsafeMutableRawPointer, frameCount: Int) -> Int {
    let frame = format.byteCount * channelCount
    let wanted = min(frameCount * frame, end - place)
    var done = 0
    while done < wanted {
      let count = unsafe pread(descriptor, memory + done, wanted - done, off_t(place + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? -Int(errno) : done / frame }
      done += count
    }
    place += done
    return done / frame
  }
}
