// The door to property lists from outside: finds out the form, bounds the size, reads it.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads XML and binary property lists from untrusted sources.
///
/// Foundation's readers crash on some hostile files, so they are not used. Time and memory are
/// bounded by `limits`, and nothing traps.
public struct PropertyListReader: Sendable {
  /// The bounds of one property list.
  public var limits: PropertyListLimits

  /// Makes a reader.
  ///
  /// Context: any.
  public init(limits: PropertyListLimits = PropertyListLimits()) { self.limits = limits }

  /// Reads a property list from memory; the first bytes show the form.
  ///
  /// - Throws: `PropertyListError`, with line and column (XML) or byte offset (binary).
  ///
  /// Context: control.
  /// The corresponding Core Foundation function is `CFPropertyListCreateWithData`.
  public func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyListValue {
    guard !bytes.isEmpty else { throw PropertyListError(.malformed, "it is empty") }
    guard bytes.count <= min(limits.byteCount, 1 << 30) else { throw tooLarge }
    if bytes.starts(with: "bplist".utf8) {
      var parser = try BinaryPropertyListParser(bytes, limits: limits)
      return try parser.parse()
    }
    if let value = PlainPropertyListParser.read(bytes, limits: limits) { return value }
    guard beginsLikeXML(bytes) else {
      throw PropertyListError(.malformed, "it is neither an XML nor a binary property list")
    }
    return try parseXMLPropertyList(bytes, limits: limits)
  }

  /// Reads a property list file.
  ///
  /// Only ordinary files are read: a pipe or a device at `path` is an error, not a wait.
  /// - Throws: `PropertyListError`; the message does not repeat `path`.
  ///
  /// Context: control.
  public func read(contentsOf path: String) throws(PropertyListError) -> PropertyListValue {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw PropertyListError(
        .unreadable(isFolder ? EISDIR : EINVAL),
        isFolder ? "it is a folder, not a file" : "it is not an ordinary file")
    }
    guard status.st_size <= limits.byteCount else { throw tooLarge }
    return try read(try contents(of: descriptor, expecting: Int(status.st_size)))
  }

  /// Reads to the end, or one byte beyond the limit if the file grows meanwhile.
  private func contents(
    of descriptor: Int32, expecting size: Int
  ) throws(PropertyListError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    var chunk = [UInt8](repeating: 0, count: min(max(size + 1, 512), 64 << 10))
    while bytes.count <= limits.byteCount {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw unreadable(errno)
      }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  private var tooLarge: PropertyListError {
    PropertyListError(.limitExceeded, "it is larger than \(limits.byteCount) bytes")
  }

  private func unreadable(_ code: Int32) -> PropertyListError {
    PropertyListError(
      .unreadable(code), "it cannot be read: \(unsafe String(cString: strerror(code)))")
  }

  /// Whether the text begins with `<`, after white space or a byte order mark; or is UTF-16.
  private func beginsLikeXML(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { return true }
    if bytes.starts(with: [0x3C, 0x00]) || bytes.starts(with: [0x00, 0x3C]) { return true }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    return text.first { !isXMLSpace($0) } == UInt8(ascii: "<")
  }
}

/// Whether a byte is white space as XML has it.
func isXMLSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}
