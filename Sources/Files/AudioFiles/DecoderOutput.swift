// Catches the messages of decoders, so that they are neither shown nor lost.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import CHostSystem
import Glibc
import Synchronization

/// Catches the lines on standard error or standard output while a decoder works.
///
/// libmpg123 continues after damage and complains on standard error alone; the library's reader of
/// MIDI sample dumps complains on standard output. There is no other report of it, so their lines
/// are read here, and nowhere else; each counts as a complaint about the file. The streams belong
/// to the process: lines of other threads are caught as well, so one decoder is called at a time.
final class DecoderOutput {
  /// The stream to which a decoder prints.
  enum Stream {
    case standardOutput
    case standardError
  }

  private let memory: Int32
  private let stream: Int32
  private var seen = 0
  /// Held while a stream leads elsewhere: two at once would lead it back to the wrong place.
  private static let turn = Mutex(())

  /// Nil when the system has no memory for it; then nothing is caught.
  init?(_ stream: Stream) {
    self.stream = stream == .standardOutput ? STDOUT_FILENO : STDERR_FILENO
    memory = AuricleMakeSharedMemory(Self.capacity)
    if memory < 0 { return nil }
  }

  deinit { close(memory) }

  private static let capacity = 1 << 16

  /// Calls a decoder; its messages are kept for `nextComplaint`.
  func capture<Result>(_ body: () -> Result) -> Result {
    Self.turn.withLock { _ in
      let own = fcntl(stream, F_DUPFD_CLOEXEC, 3)
      guard own >= 0 else { return body() }
      // Text that is printed through a buffer has to leave it on the right side.
      if stream == STDOUT_FILENO { fflush(nil) }
      defer {
        if stream == STDOUT_FILENO { fflush(nil) }
        dup2(own, stream)
        close(own)
      }
      if lseek(memory, off_t(seen), SEEK_SET) >= 0 { dup2(memory, stream) }
      return body()
    }
  }

  /// The first complaint printed since the last call; nil when there was none.
  func nextComplaint() -> String? {
    let end = Int(lseek(memory, 0, SEEK_CUR))
    guard end > seen else { return nil }
    let bytes = readBytes(memory, at: seen, count: min(end - seen, 2000))
    // The memory does not grow: begin again when it fills.
    seen = end > Self.capacity / 2 ? 0 : end
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    let words = lines.map { String(decoding: $0, as: UTF8.self) }
      .map { $0.drop { $0.isWhitespace } }
      .filter { Self.isOfADecoder($0) && !Self.isHarmless($0) }
    return words.first.map { "the decoder complains: \(Self.tidy($0))" }
  }

  /// Whether a line is the library's, and not one that another thread prints meanwhile.
  private static func isOfADecoder(_ line: Substring) -> Bool {
    line.contains("mpg123")
      || ["Note:", "Warning:", "Error", "error:"].contains { line.hasPrefix($0) }
  }

  /// About seeking, and about tags between joined files: not about the sound.
  private static func isHarmless(_ line: Substring) -> Bool {
    ["Xing stream size off", "ID3v2", "/id3.c:", "text encoding"].contains { line.contains($0) }
  }

  /// Without the place in the decoder's own source, `[src/libmpg123/layer3.c:…] error: …`.
  private static func tidy(_ line: Substring) -> String {
    var text = line
    if text.first == "[", let end = text.firstIndex(of: "]") {
      text = text[text.index(after: end)...].drop { $0 == " " || $0 == ":" }
    }
    let plain = text.prefix(200).unicodeScalars.map { $0.value < 0x20 ? " " : $0 }
    return trimmedReason(String(String.UnicodeScalarView(plain)))
  }
}

extension Optional where Wrapped == DecoderOutput {
  /// Calls a decoder, and catches its messages where it may print some.
  func capturing<Result>(_ body: () -> Result) -> Result {
    guard let self else { return body() }
    return self.capture(body)
  }
}
