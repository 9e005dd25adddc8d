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
  /// The file is copied, and the copy is changed and compared with it sample by sample. Then the copy replaces it, with
  /// the same owner, permissions and extended attributes.
  ///
  /// - Parameters:
  ///   - texts: Upper-case keys of tags, such as `TITLE`; an empty value removes the text.
  ///   - replacesGains: Whether all other figures by which players turn a file up or down are removed: ReplayGain and
  ///     R 128 in any spelling, in every tag of the file, and adjustments of ID3 (`RVA2`).
  /// - Returns: Notes of the file's losses.
  ///
  /// Errors: `badData` for kinds of files without such tags; those of reading and writing. The file stays as it was.
  ///
  /// Context: control.
  @discardableResult
  public static func write(
    _ texts: [(key: String, value: String)], to path: String, replacesGains: Bool = false
  ) throws(AuricleError) -> [String] {
    guard let resolved = unsafe realpath(path, nil) else { throw systemError(errno, "read", path) }
    // A link keeps naming the file.
    let target = unsafe FileNameText.text(cString: resolved)
    unsafe free(resolved)
    let before = try AudioFileReader(path: target)
    let place = try place(of: before.format, path)
    let copy = try AtomicFile(path: target, overwrite: true)
    defer { copy.cancel() }
    let notes = try copyAll(of: target, path, to: copy.descriptor)
    guard try tags(texts).update(copy.descriptor, place, replacesGains: replacesGains) else {
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
    return notes
  }

  /// Whether a file has these gains already, and no others beside them.
  ///
  /// - Parameter isSame: Whether a value that is found means the same as the one that would be written.
  ///
  /// Errors: as those of `write`.
  ///
  /// Context: control.
  public static func holdsGains(
    _ texts: [(key: String, value: String)], in path: String,
    isSame: (_ found: String, _ wanted: String) -> Bool
  ) throws(AuricleError) -> Bool {
    let file = try FileDescriptor(opening: path)
    let reader = try AudioFileReader(path: path)
    let place = try place(of: reader.format, path)
    guard let found = FileTags(), found.read(file.number, place) else { return false }
    var known: [(key: String, value: String)] = []
    for (key, value) in texts {
      let values = found.values(of: key)
      guard value.isEmpty ? values.isEmpty : values.count == 1 && isSame(values[0], value) else {
        return false
      }
      if let first = values.first { known.append((key, first)) }
    }
    return try tags(known).otherGains(file.number, place) == 0
  }

  private static func tags(_ texts: [(key: String, value: String)]) throws(AuricleError) -> FileTags
  {
    guard let tags = FileTags() else { throw AuricleError(.software, "memory is short") }
    for (key, value) in texts { tags.add(key, value) }
    return tags
  }

  private static func place(
    of format: AudioFileFormat, _ path: String
  ) throws(AuricleError) -> AuricleTagPlace {
    if let place = place(of: format) { return place }
    throw AuricleError(
      .badData,
      "\(path) is a \(format.container.name) file, which has no place for such tags: those of FLAC, "
        + "Ogg, Opus, MP3, M4A, WAV and AIFF do")
  }

  private static func place(of format: AudioFileFormat) -> AuricleTagPlace? {
    switch format.container {
    case .wav, .wavex: AuricleTagPlaceWAV
    case .aiff: AuricleTagPlaceAIFF
    default: format.tagPlace
    }
  }

  /// Copies a whole file, with its attributes; returns notes of parts that cannot be copied.
  private static func copyAll(
    of source: String, _ path: String, to target: Int32
  ) throws(AuricleError) -> [String] {
    let file = try FileDescriptor(opening: source)
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = retrying { unsafe read(file.number, &block, block.count) }
      guard count >= 0 else { throw systemError(errno, "read", path) }
      guard count > 0 else { return FileAttributes.copy(from: file.number, to: target) }
      let number = unsafe block.withUnsafeBytes {
        unsafe FileTransfer.writeAll(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: target)
      }
      guard number == 0 else { throw systemError(number, "write", path) }
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
    unsafe AuricleTagsAddText(tags, key, value, "")
  }

  /// Puts the texts into an open file and leaves all else; false when that fails.
  fileprivate func update(
    _ descriptor: Int32, _ place: AuricleTagPlace, replacesGains: Bool
  ) -> Bool {
    unsafe AuricleTagsUpdateFile(tags, descriptor, place, replacesGains)
  }

  /// The number of gains beside the texts; nil when nothing can be made of the file.
  fileprivate func otherGains(_ descriptor: Int32, _ place: AuricleTagPlace) -> Int? {
    let count = unsafe AuricleTagsOtherGains(tags, descriptor, place)
    return count < 0 ? nil : Int(count)
  }

  /// The texts of a key.
  fileprivate func values(of key: String) -> [String] {
    texts.filter { $0.key == key }.map(\.value)
  }
}
