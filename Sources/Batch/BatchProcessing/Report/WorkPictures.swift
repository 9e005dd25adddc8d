// Pictures of a file and its result, made in the worker that has both open.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPictures
import AudioTypes
import Glibc
import PlugInGuard
import RealtimeSupport

/// Makes the pictures of a job.
///
/// Both files are read once more: so the pictures show what is on the disk, after everything that
/// was done on the way there, and the work itself is the same with pictures and without.
enum WorkPictures {
  /// The member of an answer; none when a picture cannot be made, which is no failure.
  ///
  /// The descriptors stay with the caller.
  static func members(
    input: Int32, output: Int32, size: PictureSize, settings: JobSettings
  ) -> [(String, JSONValue?)] {
    Heartbeat.enter(.verify, unit: Heartbeat.noUnit)
    let first = read(input, size, raw: settings.rawInput, track: settings.track)
    let second = read(output, size)
    guard var before = first, var after = second else { return [] }
    let seconds = max(before.seconds, after.seconds)
    return [
      (
        "pictures",
        .members([
          ("before", .string(Base64.text(before.png(widthInSeconds: seconds)))),
          ("after", .string(Base64.text(after.png(widthInSeconds: seconds)))),
        ])
      )
    ]
  }

  private static func read(
    _ descriptor: Int32, _ size: PictureSize, raw: AudioFileFormat? = nil, track: Int? = nil
  ) -> SoundPicture? {
    // The reader closes its own.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard own >= 0 else { return nil }
    do throws(AuricleError) {
      let reader = try AudioFileReader(
        descriptor: own, path: "the file of a picture", raw: raw, track: track, isTolerant: true)
      let format = reader.format
      var picture = SoundPicture(
        size: size, sampleRate: format.sampleRate, channelCount: format.channelCount,
        expectedFrames: reader.frameCount)
      let frames = 8192
      let buffer = PlanarBuffer(channelCount: format.channelCount, frameCapacity: frames)
      while true {
        // Each slice is a sign of life.
        Heartbeat.enter(.verify, unit: Heartbeat.noUnit)
        let count = try unsafe reader.read(into: buffer.rows, frameCount: frames)
        guard count > 0 else { return picture }
        unsafe picture.add(UnsafePointer(buffer.rows), frameCount: count)
      }
    } catch {
      return nil
    }
  }
}

/// Bytes as text.
enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The bytes in base 64, filled up with `=`.
  static func text(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var word = 0
      for place in 0..<3 { word = word << 8 | (place < count ? Int(bytes[index + place]) : 0) }
      for place in 0..<4 {
        result.append(place <= count ? letters[word >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
      index += 3
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a text is of the letters of base 64 alone.
  static func isValid(_ text: String) -> Bool {
    text.utf8.count % 4 == 0
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
          UInt8(ascii: "="):
          true
        default: false
        }
      }
  }
}
