// The names in a folder in the order of their bytes, however many there are.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc

/// Reads the names of a folder, sorted.
///
/// Sorted parts of a large folder go to a nameless temporary file and are merged: a million names need
/// little memory.
package final class FolderNames {
  /// Names that are sorted in memory.
  private static let mostInMemory = 1 << 14
  private static let blockSize = 1 << 14

  /// A sorted part on the disk: lengths (UInt16) and bytes.
  private struct Part {
    package var offset: Int
    package var end: Int
    package var block: ArraySlice<UInt8> = []
    package var head: [UInt8]?
  }

  private var names: [String] = []
  private var index = 0
  private var file: Int32 = -1
  private var parts: [Part] = []
  private var length = 0

  /// Reads a folder.
  ///
  /// - Throws: `.inputOutput` when it cannot be read, or there is no room to sort; `.interrupted` when
  ///   `shouldStop` says so.
  package init(_ folder: String, shouldStop: () -> Bool = { false }) throws(AuricleError) {
    func refuse(_ number: Int32) -> AuricleError {
      AuricleError(
        .inputOutput, "cannot read the folder \(folder): \(systemReason(number))",
        cause: .errno(number))
    }
    guard let directory = unsafe opendir(folder) else { throw refuse(errno) }
    defer { unsafe closedir(directory) }
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        if errno != 0 { throw refuse(errno) }
        break
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe FileNameText.text(bytes.prefix { $0 != 0 })
      }
      if name.utf8.first == UInt8(ascii: ".") { continue }
      names.append(name)
      if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
      if names.count >= Self.mostInMemory { try spill() }
    }
    if parts.isEmpty { sort() } else if !names.isEmpty { try spill() }
    for part in parts.indices { try advance(part) }
  }

  deinit { if file >= 0 { close(file) } }

  /// The next name that does not begin with a dot; nil after the last.
  package func next() throws(AuricleError) -> String? {
    guard !parts.isEmpty else {
      guard index < names.count else { return nil }
      index += 1
      return names[index - 1]
    }
    var least: Int?
    for part in parts.indices {
      guard let head = parts[part].head else { continue }
      if let other = least, let best = parts[other].head, !head.lexicographicallyPrecedes(best) {
        continue
      }
      least = part
    }
    guard let least, let head = parts[least].head else { return nil }
    try advance(least)
    return String(decoding: head, as: UTF8.self)
  }

  private func sort() {
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  // MARK: The disk

  private func spill() throws(AuricleError) {
    sort()
    if file < 0 { file = try NamelessFile.make() }
    let start = length
    var bytes: [UInt8] = []
    for name in names {
      let count = name.utf8.count
      bytes += [UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)]
      bytes += name.utf8
    }
    let number = FileTransfer.writeAll(bytes, to: file, at: length)
    guard number == 0 else {
      throw AuricleError(
        .inputOutput,
        "cannot sort a large folder in the folder for temporary files: " + systemReason(number))
    }
    length += bytes.count
    parts.append(Part(offset: start, end: length))
    names.removeAll(keepingCapacity: true)
  }

  /// Makes the next name of a part its head.
  private func advance(_ index: Int) throws(AuricleError) {
    func has(_ count: Int) throws(AuricleError) -> Bool {
      while parts[index].block.count < count {
        let wanted = min(Self.blockSize, parts[index].end - parts[index].offset)
        guard wanted > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: wanted)
        let got = unsafe pread(file, &bytes, wanted, off_t(parts[index].offset))
        guard got > 0 else {
          let number = errno
          throw AuricleError(
            .inputOutput, "cannot read a temporary file: \(systemReason(number))",
            cause: .errno(number))
        }
        parts[index].offset += got
        parts[index].block = parts[index].block + bytes[0..<got]
      }
      return true
    }
    guard try has(2) else {
      parts[index].head = nil
      return
    }
    let first = parts[index].block.startIndex
    let count = Int(parts[index].block[first]) | Int(parts[index].block[first + 1]) << 8
    guard try has(2 + count) else {
      parts[index].head = nil
      return
    }
    let start = parts[index].block.startIndex + 2
    parts[index].head = Array(parts[index].block[start..<(start + count)])
    parts[index].block = parts[index].block.dropFirst(2 + count)
  }
}
