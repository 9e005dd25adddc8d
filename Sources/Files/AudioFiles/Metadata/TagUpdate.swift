// Texts in the tags of a file that is there already: nothing of its sound changes.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
public import AudioTypes
import CTagging
import Glibc
import HostSystem

/// Changes texts in the tags of files.
public enum TagUpdate {
  /// Puts texts into a file in place of those with the same keys, and leaves all else as it is.
  ///
  /// The file is copied, the copy is changed and compared with it sample by sample, and then takes its place.
  ///
  /// - Parameter texts: Upper-case keys of tags, such as `TITLE`; an empty value removes what is there.
  ///
  /// Errors: `badData` for kinds of files without such tags; those of reading and writing. The file stays as it was.
  ///
  /// Context: control.
  public static func write(
    _ texts: [(key: String, value: String)], to path: String
  ) throws(AuricleError) {
    guard let resolved = unsafe realpath(path, nil) else { throw systemError(errno, "read", path) }
    // A link goes on naming the file.
    let target = unsafe String(cString: resolved)
    unsafe free(resolved)
    let before = try AudioFileReader(path: target)
    guard let place = place(of: before.format) else {
      throw AuricleError(
        .badData,
        "\(path) is a \(before.format.container.name) file, which has no place for such tags: those of FLAC, "
          + "Ogg, Opus, MP3, M4A, WAV and AIFF do")
    }
    let copy = try AtomicFile(path: target, overwrite: true)
    defer { copy.cancel() }
    let number = copyBytes(of: target, to: copy.descriptor)
    guard number == 0 else { throw systemError(number, "write", path) }
    guard let changes = FileTags() else { throw AuricleError(.software, "memory is short") }
    for (key, value) in texts { changes.add(key, value) }
    guard changes.update(copy.descriptor, place) else {
      throw AuricleError(.inputOutput, "the tags of \(path) cannot be written: it stays as it was")
    }
    let duplicate = fcntl(copy.descriptor, F_DUPFD_CLOEXEC, 3)
    guard duplicate >= 0 else { throw systemError(errno, "read", path) }
    let after = try AudioFileReader(descriptor: duplicate, path: path)
    guard try holdsSameSound(before, after), holds(texts, copy.descriptor, place) else {
      throw AuricleError(
        .inputOutput, "\(path) would not be the same with its tags: it stays as it was")
    }
    try copy.commit()
  }

  private static func place(of format: AudioFileFormat) -> AuricleTagPlace? {
    switch format.container {
    case .wav, .wavex: AuricleTagPlaceWAV
    case .aiff: AuricleTagPlaceAIFF
    default: format.container.tagPlace
    }
  }

  /// Copies a whole file; 0, or an error number.
  private static func copyBytes(of path: String, to descriptor: Int32) -> Int32 {
    let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return errno }
    defer { close(source) }
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = retrying { unsafe read(source, &block, block.count) }
      guard count != 0 else { return 0 }
      guard count > 0 else { return errno }
      var done = 0
      while done < count {
        let step = unsafe block.withUnsafeBytes { bytes in
          unsafe bytes.baseAddress.map { start in
            retrying { unsafe Glibc.write(descriptor, start + done, count - done) }
          } ?? -1
        }
        guard step > 0 else { return step < 0 ? errno : ENOSPC }
        done += step
      }
    }
  }

  /// Whether two files hold the same samples.
  private static func holdsSameSound(
    _ first: AudioFileReader, _ second: AudioFileReader
  ) throws(AuricleError) -> Bool {
    guard first.format == second.format else { return false }
    let channels = first.format.channelCount
    let frames = sliceFrames(channelCount: channels)
    let one = ChannelRows(channelCount: channels, frameCapacity: frames)
    let other = ChannelRows(channelCount: channels, frameCapacity: frames)
    while true {
      let count = try unsafe first.read(into: one.channels, frameCount: frames)
      guard try unsafe second.read(into: other.channels, frameCount: frames) == count else {
        return false
      }
      guard count > 0 else { return true }
      for channel in 0..<channels {
        let (left, right) = unsafe (one.channels[channel], other.channels[channel])
        guard unsafe memcmp(left, right, 4 * count) == 0 else { return false }
      }
    }
  }

  /// Whether texts are in a file as they were written.
  private static func holds(
    _ texts: [(key: String, value: String)], _ descriptor: Int32, _ place: AuricleTagPlace
  ) -> Bool {
    guard let tags = FileTags(), tags.read(descriptor, place) else { return false }
    return texts.allSatisfy { key, value in
      tags.values(of: key) == (value.isEmpty ? [] : [value])
    }
  }
}

extension FileTags {
  /// All texts with their upper-case keys.
  fileprivate var texts: [(key: String, value: String)] {
    (0..<(unsafe AuricleTagsTextCount(tags))).map { index in
      unsafe (
        String(cString: AuricleTagsKey(tags, index)), String(cString: AuricleTagsValue(tags, index))
      )
    }
  }

  /// Adds a text; an empty one removes others of its key in `update`.
  fileprivate func add(_ key: String, _ value: String) {
    unsafe AuricleTagsAddText(tags, key, value)
  }

  /// Puts the texts into an open file and leaves all else; false when that fails.
  fileprivate func update(_ descriptor: Int32, _ place: AuricleTagPlace) -> Bool {
    unsafe AuricleTagsUpdateFile(tags, descriptor, place)
  }

  /// The texts of a key.
  fileprivate func values(of key: String) -> [String] {
    texts.filter { $0.key == key }.map(\.value)
  }
}
