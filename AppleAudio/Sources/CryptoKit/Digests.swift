// Digests of data, for programs that ask for this product.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a digest.
public protocol Digest: Hashable, Sequence, ContiguousBytes, CustomStringConvertible, Sendable
where Element == UInt8 {
  /// The number of bytes.
  static var byteCount: Int { get }
}

/// A function from data of any length to a digest.
public protocol HashFunction: Sendable {
  /// The type of its digests.
  associatedtype Digest: CryptoKit.Digest
  /// The number of bytes that are digested at once.
  static var blockByteCount: Int { get }
  /// The function before any data.
  init()
  /// Adds bytes.
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  /// Returns the digest of the bytes so far.
  func finalize() -> Digest
}

extension HashFunction {
  /// Returns the digest of data.
  public static func hash<Bytes: DataProtocol>(data: Bytes) -> Digest {
    var function = Self()
    function.update(data: data)
    return function.finalize()
  }
  /// Adds data.
  public mutating func update<Bytes: DataProtocol>(data: Bytes) {
    for region in data.regions { region.withUnsafeBytes { update(bufferPointer: $0) } }
  }
}

/// A digest of one of the functions of this module.
public struct FunctionDigest<Function: Sendable>: Digest {
  let bytes: [UInt8]
  /// The number of bytes.
  public static var byteCount: Int {
    switch Function.self {
    case is Insecure.MD5.Type: 16
    case is Insecure.SHA1.Type: 20
    default: 32
    }
  }
  /// The bytes one by one.
  public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }
  /// Calls a function with the bytes.
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  { try bytes.withUnsafeBytes(body) }
  /// The bytes in hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// A state of words that absorbs blocks of 64 bytes.
struct BlockState: Sendable {
  private var words: [UInt32]
  private let isBigEndian: Bool
  private let absorb: @Sendable (inout [UInt32], [UInt32]) -> Void
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  init(
    _ words: [UInt32], isBigEndian: Bool,
    _ absorb: @escaping @Sendable (inout [UInt32], [UInt32]) -> Void
  ) {
    self.words = words
    self.isBigEndian = isBigEndian
    self.absorb = absorb
  }
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      rest.append(byte)
      count += 1
      if rest.count == 64 { digestBlock() }
    }
  }
  private mutating func digestBlock() {
    let block = (0..<16).map { index in
      let word = rest[index * 4..<index * 4 + 4].reversed().reduce(UInt32(0)) {
        $0 << 8 | UInt32($1)
      }
      return isBigEndian ? word.byteSwapped : word
    }
    absorb(&words, block)
    rest.removeAll(keepingCapacity: true)
  }
  func finish() -> [UInt8] {
    var last = self
    let bits = count * 8
    last.add([0x80])
    last.add(repeatElement(0, count: (120 - last.rest.count) % 64))
    last.add(bytes(isBigEndian ? bits.bigEndian : bits.littleEndian))
    return last.words.flatMap { bytes(isBigEndian ? $0.bigEndian : $0.littleEndian) }
  }
  private func bytes<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
    withUnsafeBytes(of: word) { Array($0) }
  }
}

private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word << count | word >> (32 - count)
}

/// The first 32 bits after the point.
private func fraction(_ number: Double) -> UInt32 {
  UInt32((number - number.rounded(.down)) * 4_294_967_296)
}
private let turns: [[UInt32]] = [
  [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
]
private let primes = (2..<312).filter { number in !(2..<number).contains { number % $0 == 0 } }
private let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
private let cubeRoots = primes.prefix(64).map { fraction(cbrt(Double($0))) }

/// Functions that no longer protect from an attacker, for checksums.
public enum Insecure {
  /// A digest of 16 bytes.
  public typealias MD5Digest = FunctionDigest<MD5>
  /// A digest of 20 bytes.
  public typealias SHA1Digest = FunctionDigest<SHA1>

  /// The function MD5.
  public struct MD5: HashFunction {
    /// The type of its digests.
    public typealias Digest = FunctionDigest<MD5>
    /// The number of bytes that are digested at once.
    public static let blockByteCount = 64
    private var state = BlockState(
      [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476], isBigEndian: false, MD5.absorb)
    /// The function before any data.
    public init() {}
    /// Adds bytes.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { state.add(bufferPointer) }
    /// Returns the digest of the bytes so far.
    public func finalize() -> Digest { Digest(bytes: state.finish()) }

    @Sendable private static func absorb(_ words: inout [UInt32], _ block: [UInt32]) {
      var (a, b, c, d) = (words[0], words[1], words[2], words[3])
      for step in 0..<64 {
        let (mixed, place) =
          switch step / 16 {
          case 0: (b & c | ~b & d, step)
          case 1: (d & b | ~d & c, (5 * step + 1) % 16)
          case 2: (b ^ c ^ d, (3 * step + 5) % 16)
          default: (c ^ (b | ~d), 7 * step % 16)
          }
        let sum = a &+ mixed &+ sines[step] &+ block[place]
        (a, d, c) = (d, c, b)
        b = b &+ rotated(sum, turns[step / 16][step % 4])
      }
      for (index, word) in [a, b, c, d].enumerated() { words[index] &+= word }
    }
  }

  /// The function SHA-1.
  public struct SHA1: HashFunction {
    /// The type of its digests.
    public typealias Digest = FunctionDigest<SHA1>
    /// The number of bytes that are digested at once.
    public static let blockByteCount = 64
    private var state = BlockState(
      [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0], isBigEndian: true,
      SHA1.absorb)
    /// The function before any data.
    public init() {}
    /// Adds bytes.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { state.add(bufferPointer) }
    /// Returns the digest of the bytes so far.
    public func finalize() -> Digest { Digest(bytes: state.finish()) }

    @Sendable private static func absorb(_ words: inout [UInt32], _ block: [UInt32]) {
      var schedule = block
      for step in 16..<80 {
        schedule.append(
          rotated(
            schedule[step - 3] ^ schedule[step - 8] ^ schedule[step - 14] ^ schedule[step - 16], 1))
      }
      var (a, b, c, d, e) = (words[0], words[1], words[2], words[3], words[4])
      for step in 0..<80 {
        let (mixed, constant): (UInt32, UInt32) =
          switch step / 20 {
          case 0: (b & c | ~b & d, 0x5A82_7999)
          case 1: (b ^ c ^ d, 0x6ED9_EBA1)
          case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let sum = rotated(a, 5) &+ mixed &+ e &+ constant &+ schedule[step]
        (e, d, c, b, a) = (d, c, rotated(b, 30), a, sum)
      }
      for (index, word) in [a, b, c, d, e].enumerated() { words[index] &+= word }
    }
  }
}

/// A digest of 32 bytes.
public typealias SHA256Digest = FunctionDigest<SHA256>

/// The function SHA-256.
public struct SHA256: HashFunction {
  /// The type of its digests.
  public typealias Digest = FunctionDigest<SHA256>
  /// The number of bytes that are digested at once.
  public static let blockByteCount = 64
  private var state = BlockState(
    primes.prefix(8).map { fraction(Double($0).squareRoot()) }, isBigEndian: true, SHA256.absorb)
  /// The function before any data.
  public init() {}
  /// Adds bytes.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { state.add(bufferPointer) }
  /// Returns the digest of the bytes so far.
  public func finalize() -> Digest { Digest(bytes: state.finish()) }

  @Sendable private static func absorb(_ words: inout [UInt32], _ block: [UInt32]) {
    func turned(_ word: UInt32, _ first: UInt32, _ second: UInt32, _ last: UInt32) -> UInt32 {
      rotated(word, 32 - first) ^ rotated(word, 32 - second) ^ last
    }
    var schedule = block
    for step in 16..<64 {
      let (near, far) = (schedule[step - 2], schedule[step - 15])
      schedule.append(
        schedule[step - 16] &+ turned(far, 7, 18, far >> 3) &+ schedule[step - 7]
          &+ turned(near, 17, 19, near >> 10))
    }
    var v = words
    for step in 0..<64 {
      let first =
        v[7] &+ turned(v[4], 6, 11, rotated(v[4], 7)) &+ (v[4] & v[5] ^ ~v[4] & v[6])
        &+ cubeRoots[step] &+ schedule[step]
      let second =
        turned(v[0], 2, 13, rotated(v[0], 10)) &+ (v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2])
      v = [first &+ second, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for index in 0..<8 { words[index] &+= v[index] }
  }
}
