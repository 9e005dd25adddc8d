// The picture tracks of a file, as something that a result can have copied.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import Glibc

/// The picture tracks of an open file, with a descriptor of their own.
///
/// Context: control.
public final class VideoTracks {
  /// Seconds that the pictures begin before the sound; 0 when they begin with it or later.
  public let lead: Double
  /// The number of tracks that are neither sound nor pictures, such as subtitles.
  public let otherTrackCount: Int
  /// Start of a result, on the clock of the file, in seconds.
  let start: Double
  private let descriptor: Int32
  private let length: Int

  /// Keeps the tracks of a file; nil when there are none, or when the file cannot be opened once more.
  init?(_ stream: FileStream, soundTime: Double, videoTime: Double, otherTrackCount: Int) {
    descriptor = fcntl(stream.descriptor, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return nil }
    length = stream.length
    start = min(soundTime, videoTime)
    lead = soundTime - start
    self.otherTrackCount = otherTrackCount
  }

  deinit { close(descriptor) }

  /// The bytes of the file, with a position of their own; no longer than this object.
  var stream: FileStream {
    FileStream(descriptor: descriptor, length: length, ownsDescriptor: false)
  }

  /// Whether files of that name hold pictures: by their extensions, of the kinds that codecs write.
  public static func mayLie(inFileNamed path: String) -> Bool {
    guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: "."),
      [.m4a, .mka].contains(AudioContainer(path: path))
    else { return false }
    return !["m4a", "m4b", "m4r", "m4af", "mka"].contains(
      name[name.index(after: dot)...].lowercased())
  }
}
