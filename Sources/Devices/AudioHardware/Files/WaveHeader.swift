// The header of a WAVE file, and the thread that keeps it while a device plays into the file.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import RealtimeSupport
import Synchronization

/// The description in front of the samples. Beyond 4 GiB it becomes that of RF64.
struct WaveHeader: Sendable {
  let format: PCMFormat
  let sampleRate: Int
  let channelCount: Int

  /// Bytes in front of the sound: floats need a longer description, and their number of frames.
  var byteCount: Int { format.isFloat ? 94 : 80 }
  /// Bytes of a frame.
  var frameBytes: Int { format.byteCount * channelCount }

  /// Writes the header for so many frames; 0, or an `errno`.
  func write(to descriptor: Int32, frameCount: Int64) -> Int32 {
    let header = bytes(frameCount)
    let written = retrying { unsafe pwrite(descriptor, header, header.count, 0) }
    return written == header.count ? 0 : (written < 0 ? errno : EIO)
  }

  private func bytes(_ frameCount: Int64) -> [UInt8] {
    let data = UInt64(frameCount) * UInt64(frameBytes)
    let whole = UInt64(byteCount) - 8 + data + (data & 1)
    let isLarge = whole > UInt64(UInt32.max)
    var header: [UInt8] = []
    func text(_ word: String) { header += Array(word.utf8) }
    func number<Value: FixedWidthInteger>(_ value: Value) {
      for index in 0..<(Value.bitWidth / 8) {
        header.append(UInt8(truncatingIfNeeded: value >> (index * 8)))
      }
    }
    text(isLarge ? "RF64" : "RIFF")
    number(isLarge ? UInt32.max : UInt32(whole))
    text("WAVE")
    // As long as the sizes of RF64.
    text(isLarge ? "ds64" : "JUNK")
    number(UInt32(28))
    number(isLarge ? whole : 0)
    number(isLarge ? data : 0)
    number(isLarge ? UInt64(frameCount) : 0)
    number(UInt32(0))
    text("fmt ")
    number(UInt32(format.isFloat ? 18 : 16))
    number(UInt16(format.isFloat ? 3 : 1))
    number(UInt16(channelCount))
    number(UInt32(sampleRate))
    number(UInt32(sampleRate * frameBytes))
    number(UInt16(frameBytes))
    number(UInt16(format.byteCount * 8))
    if format.isFloat {
      number(UInt16(0))
      text("fact")
      number(UInt32(4))
      number(UInt32(clamping: frameCount))
    }
    text("data")
    number(isLarge ? UInt32.max : UInt32(data))
    return header
  }
}

/// A thread that brings the header of a file up to date now and then, so that the device's thread need not.
final class WaveHeaderKeeper: Sendable {
  private let header: WaveHeader
  private let descriptor: Int32
  private let frames: Atomic<Int64>
  private let kept: Mutex<Int64>
  private let isOver = Atomic<Bool>(false)
  private let end = RenderSignal()
  private let thread = Mutex<UInt>(0)
  /// The first failure, an `errno`.
  private let failure = Atomic<Int32>(0)
  /// Nanoseconds between two headers.
  private static let interval: UInt64 = 100_000_000
  /// Bytes after which a file is brought to the disk.
  private static let syncBytes: Int64 = 4 << 20

  private static let all = Mutex<(keepers: [WaveHeaderKeeper], isRegistered: Bool)>(([], false))

  /// Begins to keep the header of an open file; nil where there is no thread left.
  init?(_ header: WaveHeader, _ descriptor: Int32, frameCount: Int64) {
    self.header = header
    self.descriptor = descriptor
    frames = Atomic(frameCount)
    kept = Mutex(frameCount)
    guard let made = startThread({ self.run() }) else { return nil }
    thread.withLock { $0 = UInt(made) }
    // A process that exits while a device runs leaves whole files.
    let isFirst = Self.all.withLock { all -> Bool in
      all.keepers.append(self)
      defer { all.isRegistered = true }
      return !all.isRegistered
    }
    if isFirst {
      atexit { for keeper in WaveHeaderKeeper.all.withLock({ $0.keepers }) { keeper.update() } }
    }
  }

  /// Notes the frames that the file has; the first failure of a header, or 0. Context: the device's thread.
  @_noLocks func note(frameCount: Int64) -> Int32 {
    frames.store(frameCount, ordering: .releasing)
    return failure.load(ordering: .relaxed)
  }

  private func run() {
    var synced = frames.load(ordering: .acquiring)
    while !end.wait(nanoseconds: Self.interval, until: { isOver.load(ordering: .acquiring) }) {
      let count = update()
      guard (count - synced) * Int64(header.frameBytes) > Self.syncBytes else { continue }
      synced = count
      if fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS { fail(errno) }
    }
  }

  /// Writes the header where frames came; how many frames there are.
  @discardableResult private func update() -> Int64 {
    kept.withLock { kept in
      let count = frames.load(ordering: .acquiring)
      guard count != kept, !isOver.load(ordering: .acquiring) else { return count }
      let status = header.write(to: descriptor, frameCount: count)
      if status == 0 { kept = count } else { fail(status) }
      return count
    }
  }

  private func fail(_ number: Int32) {
    _ = failure.compareExchange(expected: 0, desired: number, ordering: .relaxed)
  }

  /// Writes the last header, and ends the thread. Context: once.
  func stop() {
    update()
    isOver.store(true, ordering: .releasing)
    end.post()
    pthread_join(pthread_t(thread.withLock { $0 }), nil)
    Self.all.withLock { $0.keepers.removeAll { $0 === self } }
  }
}
