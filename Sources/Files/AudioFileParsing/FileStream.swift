// The bytes of an open file for its decoder or encoder, and the error number when they failed.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// An open file with a position of its own; the file library reads and writes through it.
///
/// Going through here rather than by a descriptor keeps the error number of a failed write, also
/// of one made while the library closes a file, where the library itself drops it.
@safe package final class FileStream {
  /// The file, which is read and written at places of the stream's own.
  package let descriptor: Int32
  private let ownsDescriptor: Bool
  /// Where the next bytes are read or written.
  package private(set) var position: Int = 0
  /// Bytes that there are, for the decoder.
  package private(set) var length: Int
  /// The most bytes that may be written; beyond, writing fails with EFBIG.
  package var byteLimit = Int.max
  /// Where reading ends, in a file that goes on with what is not to be seen.
  package var readEnd = Int.max
  /// The first error number that reading or writing met; 0 when there was none.
  package private(set) var failure: Int32 = 0
  /// Bytes of the file in front of its first header, which nobody gets to see: tags of other kinds.
  package private(set) var origin = 0
  /// What the decoder finds in place of the file: parts of it, and bytes that are made. Empty for the file as it is.
  private var view: [Part] = []

  /// A run of bytes that a decoder finds.
  package enum Part {
    /// Bytes of the file.
    case stored(Range<Int>)
    /// Others.
    case made([UInt8])

    var count: Int {
      switch self {
      case .stored(let range): range.count
      case .made(let bytes): bytes.count
      }
    }
  }

  /// Where each part of the view begins.
  private var starts: [Int] = []

  /// `bytes` at `offset`, where the file has `removed` bytes.
  package struct Patch {
    var offset: Int
    var removed: Int
    var bytes: [UInt8]

    /// Puts `bytes` in the place of `removed` bytes at `offset`.
    package init(offset: Int, removed: Int, bytes: [UInt8]) {
      self.offset = offset
      self.removed = removed
      self.bytes = bytes
    }
  }

  /// An open file of a length, which is closed in the end if it is owned.
  package init(descriptor: Int32, length: Int, ownsDescriptor: Bool) {
    self.descriptor = descriptor
    self.length = length
    self.ownsDescriptor = ownsDescriptor
  }

  deinit {
    if ownsDescriptor { close(descriptor) }
  }

  /// Moves to an offset from the beginning, from here or from the end (`SEEK_SET`, …); returns the new position,
  /// or -1.
  package func seek(_ offset: Int, _ whence: Int32) -> Int {
    let base: Int
    switch whence {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = length
    default: return -1
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return target
  }

  /// Takes note of what somebody else wrote.
  package func setLength(_ count: Int) {
    length = count
  }

  /// Ends the file that is written at the position.
  package func cutHere() {
    guard position > 0, position < length else { return }
    guard retrying({ ftruncate(descriptor, position) }) == 0 else { return record(errno) }
    length = position
  }

  /// Leaves bytes in front out, for all who read.
  package func begin(at origin: Int) {
    length -= origin - self.origin
    self.origin = origin
  }

  /// Makes the file read otherwise than it is; for reading only, before the library opens it.
  package func apply(_ patches: [Patch]) {
    var parts: [Part] = []
    var place = 0
    for patch in patches.sorted(by: { $0.offset < $1.offset }) {
      parts += [.stored(place..<patch.offset), .made(patch.bytes)]
      place = patch.offset + patch.removed
    }
    show(parts + [.stored(place..<max(place, length))])
  }

  /// Makes the file read as parts of it and other bytes, one behind the other.
  package func show(_ parts: [Part]) {
    view = parts.filter { $0.count > 0 }
    starts = []
    length = 0
    for part in view {
      starts.append(length)
      length += part.count
    }
  }

  /// The bytes of the file itself at an offset from its origin; fewer at its end, none on failure.
  package func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0 else { return [] }
    return readBytes(descriptor, at: origin + offset, count: min(count, max(0, readEnd - offset)))
  }

  /// Reads at the position; returns how many bytes came, fewer at the end and on failure.
  package func read(into pointer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    let count = min(count, max(0, readEnd - position))
    var done = 0
    while done < count {
      let step = retrying { unsafe readStep(into: pointer + done, count - done) }
      if step < 0 {
        record(errno)
        break
      }
      if step == 0 { break }
      done += step
      position += step
    }
    return done
  }

  /// Reads some bytes at the position: of the file, or of the view.
  private func readStep(into pointer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard !view.isEmpty else { return unsafe pread(descriptor, pointer, count, origin + position) }
    guard position < length else { return 0 }
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    let offset = position - starts[low]
    let step = min(count, view[low].count - offset)
    switch view[low] {
    case .stored(let range):
      return unsafe pread(descriptor, pointer, step, origin + range.lowerBound + offset)
    case .made(let bytes):
      for index in 0..<step {
        unsafe pointer.storeBytes(of: bytes[offset + index], toByteOffset: index, as: UInt8.self)
      }
      return step
    }
  }

  /// Writes at the position; returns how many bytes went, fewer on failure.
  package func write(from pointer: UnsafeRawPointer, _ count: Int) -> Int {
    guard count <= byteLimit - position else {
      record(EFBIG)
      return 0
    }
    var done: Int = 0
    while done < count {
      let step = retrying {
        unsafe pwrite(descriptor, pointer + done, count - done, position)
      }
      if step < 0 {
        record(errno)
        break
      }
      if step == 0 {
        record(ENOSPC)
        break
      }
      done += Int(step)
      position += Int(step)
      length = max(length, position)
    }
    return done
  }

  /// Notes an error number, if it is the first.
  package func record(_ number: Int32) {
    if failure == 0 { failure = number }
  }
}

extension FileStream {
  /// The stream behind an unretained pointer that a library was given.
  package static func from(_ context: UnsafeMutableRawPointer?) -> FileStream? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<FileStream>.fromOpaque(context).takeUnretainedValue()
  }
}

/// The bytes at an offset of a file; fewer at its end, none on failure.
package func readBytes(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    filled = 0
    guard let base = buffer.baseAddress else { return }
    while filled < count {
      let step = retrying {
        unsafe pread(descriptor, base + filled, count - filled, offset + filled)
      }
      if step <= 0 { break }
      filled += step
    }
  }
}
