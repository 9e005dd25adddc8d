// A unit of a live chain, through the control socket of `auricle live`.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// A unit of a live chain in another program.
final class LiveUnit: WindowedUnit {
  private let socket: Int32
  private let path: String
  private var received: [UInt8] = []
  /// The number of the stage.
  private let stage: Int
  /// The unit as the registry names it alone.
  let uniqueName: String
  let sampleRate: Double
  /// The longest line that the socket takes, in bytes.
  private static let longestLine = 4000
  /// The most seconds that an answer takes.
  private static let longestWait = 20

  /// Finds a unit in the chain of a control socket.
  ///
  /// - Throws: `.usage` where the chain has no such unit, `.noInput` where nothing answers at the path.
  init(_ unit: String, at path: String) throws(AuricleError) {
    self.path = path
    socket = try Self.connect(path)
    var buffer: [UInt8] = []
    let answer: [String]
    let figures: String
    do throws(AuricleError) {
      answer = Self.words(try Self.ask("unit \(Self.quoted(unit))", socket, path, &buffer))
      figures = try Self.ask("stats", socket, path, &buffer)
    } catch {
      close(socket)
      throw error
    }
    let rate = figures.split(separator: " ").first { $0.hasPrefix("rate=") }
    sampleRate = rate.flatMap { Double($0.dropFirst(5)) } ?? 48_000
    guard answer.count == 2, let number = Int(answer[0]) else {
      close(socket)
      throw AuricleError(.badData, "\(path) does not answer as auricle live does")
    }
    (stage, uniqueName) = (number, answer[1])
  }

  deinit { close(socket) }

  private static func connect(_ path: String) throws(AuricleError) -> Int32 {
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw AuricleError(
        .usage, "the path of a control socket has 1 to 107 bytes, not \(bytes.count): \(path)")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let made = Glibc.socket(AF_UNIX, type, 0)
    guard made >= 0 else { throw systemError(errno, "make", "a socket") }
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
      }
    }
    guard status == 0 else {
      close(made)
      throw AuricleError(
        .noInput,
        "no auricle live answers at \(path) (\(unsafe String(cString: strerror(status)))): start one with "
          + "--control unix:\(path)")
    }
    var limit = timeval(tv_sec: longestWait, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    unsafe setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    return made
  }

  /// A word as a line has it.
  private static func quoted(_ word: String) -> String {
    let escaped = word.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return "\"\(escaped)\""
  }

  /// The words of an answer; a text in quotation marks is one.
  private static func words(_ answer: String) -> [String] {
    var words: [String] = []
    var word = ""
    var (isQuoted, isEscaped) = (false, false)
    for character in answer {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\", isQuoted {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return words + [word]
  }

  /// Sends a line and returns the words behind `ok`.
  private static func ask(
    _ line: String, _ socket: Int32, _ path: String, _ received: inout [UInt8]
  ) throws(AuricleError) -> String {
    let gone = AuricleError(.unavailable, "auricle live at \(path) has ended")
    var bytes = Array((line + "\n").utf8)
    while !bytes.isEmpty {
      let count = unsafe Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { throw gone }
      bytes.removeFirst(count)
    }
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let answer = String(decoding: received[..<end], as: UTF8.self)
        received.removeSubrange(...end)
        if answer == "ok" { return "" }
        if answer.hasPrefix("ok ") { return String(answer.dropFirst(3)) }
        throw AuricleError(
          .usage, answer.hasPrefix("error ") ? String(answer.dropFirst(6)) : answer)
      }
      var block = [UInt8](repeating: 0, count: 65_536)
      let count = retrying { unsafe recv(socket, &block, block.count, 0) }
      guard count > 0 else { throw gone }
      received += block[0..<count]
    }
  }

  private func ask(_ line: String) throws(AuricleError) -> String {
    try Self.ask(line, socket, path, &received)
  }

  func values() throws(AuricleError) -> [(id: UInt32, value: Float)] {
    let words = Self.words(try ask("values \(stage)"))
    guard words.first == uniqueName else {
      throw AuricleError(.unavailable, "the live chain has another unit in place \(stage) now")
    }
    return words.dropFirst().compactMap { word in
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let id = UInt32(parts[0]), let value = Float(parts[1]) else {
        return nil
      }
      return (id, value)
    }
  }

  func put(_ id: UInt32, _ value: Float) throws(AuricleError) {
    _ = try ask("put \(stage) \(id) \(value)")
  }

  func number(of uri: String) throws(AuricleError) -> UInt32 {
    UInt32(try ask("number \(stage) \(Self.quoted(uri))")) ?? 0
  }

  func uri(of number: UInt32) throws(AuricleError) -> String? {
    let uri = try ask("uri \(stage) \(number)")
    return uri.isEmpty ? nil : uri
  }

  func send(_ text: String, type: UInt32, port: UInt32) throws(AuricleError) {
    guard text.utf8.count < Self.longestLine else { return }
    _ = try ask("message \(stage) \(port) \(type) \(text)")
  }

  func messages() throws(AuricleError) -> [String] {
    let texts = try ask("messages \(stage)")
    return texts.isEmpty ? [] : texts.split(separator: ";").map { String($0.drop { $0 == " " }) }
  }

  /// None: the live chain keeps its state.
  func state() -> (first: [UInt8], second: [UInt8])? { nil }

  /// Does nothing: the live chain keeps its state.
  func restore(_ text: String) {}

  /// Does nothing: the live chain renders.
  func advance() {}
}
