// The other end of a control socket: a line asks, a line answers.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// A connection to the control socket of `auricle live`.
///
/// @unchecked Sendable because it is used under the lock of its owner alone.
@safe final class ControlClient: @unchecked Sendable {
  private let descriptor: Int32
  private var received: [UInt8] = []

  /// Connects.
  ///
  /// - Throws: `.notFound` where nobody listens.
  init(_ path: String) throws(StudioFault) {
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path),
      !bytes.contains(0)
    else { throw StudioFault(.usage, "the path of a control socket has 1 to 107 bytes") }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      throw StudioFault(.notFound, "nothing answers at \(path): \(systemReason(errno))")
    }
  }

  deinit { close(descriptor) }

  /// Asks, and returns what follows `ok`.
  ///
  /// - Throws: `.badData` with the sentence of an `error`, `.temporary` when the other end is gone.
  func ask(_ words: [String]) throws(StudioFault) -> String {
    let line = words.map(Self.quoted).joined(separator: " ")
    guard !line.contains("\n") else { throw StudioFault(.usage, "a name has several lines") }
    let bytes = Array((line + "\n").utf8)
    let sent = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    guard sent == bytes.count else { throw Self.gone }
    let answer = try self.line()
    if answer == "ok" { return "" }
    if answer.hasPrefix("ok ") { return String(answer.dropFirst(3)) }
    let text = answer.hasPrefix("error ") ? String(answer.dropFirst(6)) : answer
    throw StudioFault(.badData, text)
  }

  private static let gone = StudioFault(.temporary, "the live sound has ended")

  private func line() throws(StudioFault) -> String {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received.removeSubrange(...end)
        return line
      }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard retrying({ unsafe poll(&entry, 1, 10_000) }) > 0 else { throw Self.gone }
      let count = retrying { unsafe recv(descriptor, &block, block.count, 0) }
      guard count > 0, received.count < 1 << 22 else { throw Self.gone }
      received += block[..<count]
    }
  }

  /// A word as a line has it.
  static func quoted(_ word: String) -> String {
    guard word.isEmpty || word.contains(where: { " \t\"\\".contains($0) }) else { return word }
    return "\"" + word.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
  }

  /// The words of a line; a text in quotation marks is one.
  static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var (isQuoted, isEscaped) = (false, false)
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if !isQuoted, character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
  }
}
