// The converters that C code has handles of: records with a magic number, which are never freed.
// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioTypes
import CAudioToolbox
import Synchronization

/// A converter of C code.
///
/// @unchecked Sendable because C code moves handles between threads, and uses each from one thread at a
/// time, as this interface requires.
@safe final class OpenConverter: @unchecked Sendable {
  /// The converter between packets and samples; nil where there are no packets.
  let packets: PacketConverter?
  /// The converter of samples: all of the converter, or the part beside the codec.
  var converter: PCMConverter { packets?.pcm ?? linear }
  private let linear: PCMConverter
  /// Whether nothing is kept inside, so that only whole buffers can be converted.
  let isUnbuffered: Bool
  /// Whether a procedure of the caller runs, from which the converter cannot be used.
  var isBusy = false
  /// Memory that a procedure finds in its list, and may fill.
  private var lent: UnsafeMutableRawPointer?
  private var lentSize = 0
  /// The most memory that is lent.
  private static let mostLent = 1 << 26

  deinit { unsafe lent?.deallocate() }

  /// Memory of a size for a procedure, valid until the next call; nil where that is too much.
  func lend(byteCount: Int) -> UnsafeMutableRawPointer? {
    guard byteCount > 0, byteCount <= Self.mostLent else { return nil }
    if byteCount > lentSize {
      unsafe lent?.deallocate()
      unsafe lent = .allocate(byteCount: byteCount, alignment: 64)
      unsafe lent?.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
      lentSize = byteCount
    }
    return unsafe lent
  }

  init(_ converter: PCMConverter, isUnbuffered: Bool) {
    packets = nil
    linear = converter
    self.isUnbuffered = isUnbuffered
  }

  init(_ packets: PacketConverter, isUnbuffered: Bool) {
    self.packets = packets
    linear = packets.pcm
    self.isUnbuffered = isUnbuffered
  }

  /// Forgets all sound.
  func reset() throws(AuricleError) {
    if let packets { return try packets.reset() }
    try linear.reset()
  }
}

/// The records of converters.
///
/// A handle is a pointer to a record. Once it was disposed of, its magic number is gone; the record is used
/// again after many others, so that an old handle is refused and never read from freed memory.
enum Converters {
  private struct Pool {
    var free: [UInt] = []
    var next = 0
  }

  /// Records that lie idle before one is used again.
  private static let idleCount = 1024
  private static let pool = Mutex(Pool())
  /// The mark that distinguishes records of this library from those of another copy of it.
  private static let owner = UInt(
    bitPattern: UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))

  /// Makes a handle of a converter, which lives until it is disposed of.
  static func keep(_ converter: OpenConverter) -> AudioConverterRef {
    let address = pool.withLock { pool -> UInt? in
      guard pool.free.count - pool.next > idleCount else { return nil }
      let address = pool.free[pool.next]
      pool.next += 1
      if pool.next == idleCount {
        pool.free.removeFirst(pool.next)
        pool.next = 0
      }
      return address
    }
    let record =
      unsafe address.flatMap { unsafe AudioConverterRef(bitPattern: $0) }
      ?? .allocate(capacity: 1)
    unsafe record.initialize(
      to: OpaqueAudioConverter(
        magic: kAuricleConverterMagic,
        recordSize: UInt32(MemoryLayout<OpaqueAudioConverter>.size),
        owner: UnsafeMutableRawPointer(bitPattern: owner),
        converter: Unmanaged.passRetained(converter).toOpaque()))
    return unsafe record
  }

  /// The converter of a handle; nil for null, for a foreign one, and for one that was disposed of.
  static func converter(_ handle: AudioConverterRef?) -> OpenConverter? {
    guard let handle = unsafe handle, UInt(bitPattern: handle) % 8 == 0,
      UInt(bitPattern: handle) >= 4096, unsafe handle.pointee.magic == kAuricleConverterMagic,
      unsafe UInt(bitPattern: handle.pointee.owner) == owner,
      let converter = unsafe handle.pointee.converter
    else { return nil }
    return unsafe Unmanaged<OpenConverter>.fromOpaque(converter).takeUnretainedValue()
  }

  /// Releases the converter of a handle.
  static func dispose(_ handle: AudioConverterRef) {
    let converter = unsafe handle.pointee.converter
    unsafe handle.pointee.magic = 0
    unsafe handle.pointee.converter = nil
    if let converter = unsafe converter {
      unsafe Unmanaged<OpenConverter>.fromOpaque(converter).release()
    }
    let address = UInt(bitPattern: handle)
    pool.withLock { $0.free.append(address) }
  }
}

/// Calls a body with the converter of a handle, unless a procedure of the caller runs in it.
func withConverter(
  _ handle: AudioConverterRef?, _ body: (OpenConverter) throws(AuricleError) -> OSStatus
) -> OSStatus {
  guard let converter = unsafe Converters.converter(handle) else { return kAudio_ParamError }
  guard !converter.isBusy else { return kAudioConverterErr_OperationNotSupported }
  do throws(AuricleError) { return try body(converter) } catch { return error.statusForC }
}
