// Files of the cache: read with suspicion, replaced as a whole.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The door to the folder of cached results.
///
/// A file begins with a mark of its kind and a checksum of the rest; one that does not match counts
/// as missing. Several processes may read and write at once: each sees an old file or a new one
/// whole.
public enum CacheFile {
  private static let headerSize = 24
  private static let largestSize = 256 << 20

  /// $XDG_CACHE_HOME/auricle, else ~/.cache/auricle; nil without either.
  ///
  /// Context: control.
  public static var standardFolder: String? {
    func variable(_ name: String) -> String? {
      guard let value = unsafe getenv(name) else { return nil }
      let text = unsafe String(cString: value)
      return text.hasPrefix("/") ? text : nil
    }
    return variable("XDG_CACHE_HOME").map { $0 + "/auricle" }
      ?? variable("HOME").map { $0 + "/.cache/auricle" }
  }

  /// The content of a file of this kind; nil when it is missing, damaged, not a plain file, or not this
  /// user's own.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - kind: The kind that it was stored as: at most 8 bytes of ASCII, with the version of its form.
  ///
  /// Context: control.
  public static func contents(of path: String, kind: String) -> [UInt8]? {
    guard let (header, content) = parts(of: path), header[..<8].elementsEqual(mark(kind)),
      number(header, at: 8) == UInt64(content.count), number(header, at: 16) == checksum(content)
    else { return nil }
    return content
  }

  /// Writes a file beside its place and renames it; makes folders that are missing, for this user alone.
  ///
  /// - Returns: Whether that could be done; nothing is left behind when not.
  ///
  /// Context: control.
  @discardableResult
  public static func store(_ content: [UInt8], at path: String, kind: String) -> Bool {
    var bytes = mark(kind)
    for value in [UInt64(content.count), checksum(content)] {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      }
    }
    bytes += content
    makeFolders(above: path)
    let temporary = path + ".\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let number = FileTransfer.writeAll(bytes, to: descriptor)
    let isClosed = close(descriptor) == 0
    if unsafe !isClosed || number != 0 || rename(temporary, path) != 0 {
      unsafe unlink(temporary)
      return false
    }
    return true
  }

  /// A text as the name of a file that people can read: letters, digits, "-" and "_".
  ///
  /// Context: any.
  public static func plainName(for text: String) -> String {
    let clean = text.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      return isPlain || scalar == "-" ? Character(scalar) : "_"
    }
    let plain = String(String(clean).prefix(80))
    // Names that differ only in other letters stay distinct.
    let isAltered = text.unicodeScalars.contains { !$0.isASCII } || text.count > 80
    return isAltered ? plain + "-" + name(for: text).suffix(6) : plain
  }

  /// A name for the file that keeps something about `subject`.
  ///
  /// Context: any.
  public static func name(for subject: String) -> String {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in subject.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func mark(_ kind: String) -> [UInt8] {
    Array((Array(kind.utf8) + [UInt8](repeating: 0x20, count: 8)).prefix(8))
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    bytes[offset..<(offset + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// FNV-1a over 8-byte words, in four lanes, none of which waits for another: finds damage, and is no
  /// secret.
  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    var lanes: SIMD4<UInt64> = .init(1, 2, 3, 4) &* 0xcbf2_9ce4_8422_2325
    var offset = 0
    unsafe bytes.withUnsafeBytes { raw in
      while offset + 32 <= raw.count {
        for lane in 0..<4 {
          let word = unsafe UInt64(
            littleEndian: raw.loadUnaligned(fromByteOffset: offset + 8 * lane, as: UInt64.self))
          let mixed = (lanes[lane] ^ word) &* 0x0000_0100_0000_01b3
          lanes[lane] = mixed ^ mixed >> 29
        }
        offset += 32
      }
    }
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ word: UInt64) {
      state = (state ^ word) &* 0x0000_0100_0000_01b3
      state ^= state >> 29
    }
    for lane in 0..<4 { add(lanes[lane]) }
    for byte in bytes[offset...] { add(UInt64(byte)) }
    return state
  }

  /// The header of a file, and the rest of it.
  private static func parts(of path: String) -> (header: [UInt8], content: [UInt8])? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), (headerSize..<largestSize).contains(Int(status.st_size))
    else { return nil }
    let header = bytes(from: descriptor, count: headerSize)
    let content = bytes(from: descriptor, count: Int(status.st_size) - headerSize)
    return header.count == headerSize ? (header, content) : nil
  }

  /// The next bytes of a file: fewer where it ends or cannot be read.
  private static func bytes(from descriptor: Int32, count size: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe FileTransfer.read(
        descriptor, into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size))
    }
  }

  private static func makeFolders(above path: String) {
    var partial = ""
    for part in path.split(separator: "/").dropLast() {
      partial += "/" + part
      unsafe mkdir(partial, 0o700)
    }
  }
}
