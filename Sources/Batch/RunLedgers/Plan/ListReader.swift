// Lists of inputs: paths separated by newlines or zero bytes, or lines of a manifest.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import HostSystem
import ResultSettings

/// Reads paths one by one, in little memory.
final class ListReader {
  private let path: String
  private let descriptor: Int32
  private var block: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var separator: UInt8?
  private let shouldStop: () -> Bool
  /// The longest path.
  private static let longest = 1 << 16
  /// The longest line of a manifest.
  private static let longestLine = 1 << 20

  /// Opens a list; `-` is standard input. Waits for a pipe until `shouldStop` returns true.
  package init(
    path: String, shouldStop: @escaping () -> Bool = { false }
  ) throws(AuricleError) {
    self.path = path
    self.shouldStop = shouldStop
    descriptor =
      path == "-"
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
      : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { throw AuricleError(.noInput, "there is no list \(path)") }
      throw systemError(errno, "read", path)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// A path of the list.
  package struct Entry {
    /// The path.
    package var path: String
    /// Its seconds of sound in a manifest.
    package var seconds: Double?
    /// The part of the file that a line of a manifest is about; nil for all of it.
    package var segment: SoundSegment?
    /// Its other fields in a manifest.
    package var fields: JSONValue?
    /// Why a line of a manifest names no file.
    package var problem: AuricleError?
  }

  /// The kind of manifest; nil for plain paths.
  private var manifest: ManifestLine.Kind?

  /// The next path that is not empty; nil at the end.
  package func next() throws(AuricleError) -> Entry? {
    while true {
      if separator == nil { try findSeparator() }
      if let separator {
        let end = block[position...].firstIndex(of: separator) ?? (isAtEnd ? block.count : nil)
        if let end {
          guard position < block.count else { return nil }
          var line = block[position..<end]
          position = min(end + 1, block.count)
          if separator == 0x0A, line.last == 0x0D { line.removeLast() }
          if line.isEmpty { continue }
          let text = FileNameText.text(line)
          if let manifest {
            if let entry = ManifestLine.entry(text, manifest, of: path) { return entry }
            continue
          }
          return Entry(path: text)
        }
      }
      guard block.count - position <= (manifest == .lines ? Self.longestLine : Self.longest) else {
        throw AuricleError(.badData, "the list \(path) has a line that is no path")
      }
      try fill()
    }
  }

  /// Finds the separator: names hold no zero bytes, so a zero byte is one.
  private func findSeparator() throws(AuricleError) {
    if block.starts(with: [0x1F, 0x8B]) {
      throw AuricleError(
        .badData, "the list \(path) is compressed: unpack it with gunzip first")
    }
    // UTF-16: every second byte is zero, and each letter would become a path.
    if block.starts(with: [0xFF, 0xFE]) || block.starts(with: [0xFE, 0xFF]) {
      let name = path == "-" ? "on standard input" : path
      throw AuricleError(.badData, "the list \(name) is UTF-16 text: save it as UTF-8")
    }
    if Self.isSound(block) {
      throw AuricleError(
        .badData,
        path == "-"
          ? "the list on standard input is an audio file: for its sound give - instead of --from-file -"
          : "the list \(path) is an audio file: give it without --from-file")
    }
    if block.contains(0) {
      separator = 0
    } else if block.contains(0x0A) || isAtEnd {
      separator = 0x0A
      // The byte order mark of some editors.
      if block.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
      manifest = ManifestLine.Kind(name: path, beginning: block[position...])
    } else if block.count > Self.longest, block.first == UInt8(ascii: "{") {
      // The first line of a manifest may be long.
      (separator, manifest) = (0x0A, .lines)
    }
  }

  /// Whether it begins like an audio file, as no list of paths does.
  private static func isSound(_ block: [UInt8]) -> Bool {
    let forms = ["RIFF": ["WAVE"], "RF64": ["WAVE"], "FORM": ["AIFF", "AIFC"]]
    let beginning = String(decoding: block.prefix(4), as: UTF8.self)
    if let kinds = forms[beginning] {
      return kinds.contains(String(decoding: block.dropFirst(8).prefix(4), as: UTF8.self))
    }
    // Binary numbers follow, which begin with a zero.
    return ["fLaC", "OggS", "caff"].contains(beginning) && block.dropFirst(4).first == 0
      || block.starts(with: [0x49, 0x44, 0x33]) && (2...4).contains(block.dropFirst(3).first ?? 0)
  }

  /// Waits for bytes: a pipe may be silent for hours, or have no writer yet.
  private func wait() throws(AuricleError) {
    var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
    } while unsafe poll(&one, 1, 100) <= 0
  }

  private func fill() throws(AuricleError) {
    block.removeFirst(position)
    position = 0
    try wait()
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count < 0 {
      if errno == EINTR || errno == EAGAIN { return }
      throw systemError(errno, "read", path)
    }
    if count == 0 { isAtEnd = true }
    block += bytes[0..<count]
  }
}
