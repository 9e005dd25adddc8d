// Stores a rendering for several passes: in memory while it is short, then in a nameless file.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import Glibc
import HostSystem
import UnitChains

/// Planar 32-bit float sound of any length, in bounded memory.
package final class SoundSpool: SoundStore {
  /// Frames of a block; the rows of a block are contiguous.
  private static let blockFrames = 4096
  /// The most samples kept in memory: 16 MiB.
  private static let mostInMemory = 4 << 20

  private let channelCount: Int
  /// The file for frames beyond the memory; -1 for none.
  private let spare: Int32
  /// Where its blocks lie in a file that several spools share: each has one of so many lanes.
  private let lane: Int
  private let laneCount: Int
  private let path: String
  private var file: Int32 = -1
  /// Whole blocks, while there is no file.
  private var memory: [Float] = []
  /// The block that is being filled.
  private let block: PlanarBuffer
  private var filled = 0
  private var blockCount = 0
  /// The block of the file that was read last.
  private let cache: PlanarBuffer
  private var cached = -1
  /// Frames so far.
  package private(set) var frameCount = 0

  /// Makes a spool.
  ///
  /// - Parameters:
  ///   - path: Its name in messages.
  ///   - file: An empty file for frames beyond the memory, which the caller keeps; -1 for none.
  ///   - lane: Its place among the spools of one file, which have as many channels.
  ///   - laneCount: The number of spools that share the file.
  package init(
    channelCount: Int, path: String, file: Int32, lane: Int = 0, of laneCount: Int = 1
  ) {
    self.lane = lane
    self.laneCount = laneCount
    self.channelCount = channelCount
    self.path = path
    spare = file
    block = PlanarBuffer(
      channelCount: channelCount, frameCapacity: Self.blockFrames, isOneRun: true)
    cache = PlanarBuffer(
      channelCount: channelCount, frameCapacity: Self.blockFrames, isOneRun: true)
  }

  /// Appends frames.
  package func append(_ rows: ChannelRows, _ count: Int) throws(AuricleError) {
    var done = 0
    while done < count {
      let part = min(Self.blockFrames - filled, count - done)
      for channel in 0..<channelCount {
        unsafe (block.rows[channel] + filled).update(from: rows[channel] + done, count: part)
      }
      filled += part
      done += part
      frameCount += part
      if filled == Self.blockFrames { try store() }
    }
  }

  /// Removes all frames; those in the file are overwritten.
  package func removeAll() {
    memory = []
    (filled, blockCount, cached, frameCount) = (0, 0, -1, 0)
    file = -1
  }

  /// Reads frames that there are, from one on.
  package func read(
    from frame: Int, into rows: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) {
    var done = 0
    try unsafe play(from: frame, to: frame + frameCount) {
      (source, count, _) throws(AuricleError) in
      for channel in 0..<channelCount {
        unsafe (rows[channel] + done).update(from: source[channel], count: count)
      }
      done += count
    }
  }

  /// Passes on the frames of a range, each time with the fraction done before, 0 to 1.
  package func play(
    from start: Int, to end: Int,
    _ consume: (_ rows: ChannelRows, _ count: Int, _ share: Double) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let pointers = PlanarBuffer(channelCount: channelCount, frameCapacity: 1)
    var position = start
    while position < end {
      let number = position / Self.blockFrames
      let offset = position % Self.blockFrames
      let count = min(Self.blockFrames - offset, end - position)
      let source = try load(number)
      for channel in 0..<channelCount {
        unsafe pointers.cursor[channel] = source.rows[channel] + offset
      }
      try unsafe consume(pointers.cursor, count, Double(position - start) / Double(end - start))
      position += count
    }
  }

  private func store() throws(AuricleError) {
    let size = channelCount * Self.blockFrames
    if file < 0, memory.count + size > Self.mostInMemory { try moveToFile() }
    if file >= 0 {
      try unsafe write(block.rows[0], size, at: blockCount)
    } else {
      unsafe memory.append(contentsOf: UnsafeBufferPointer(start: block.rows[0], count: size))
    }
    blockCount += 1
    filled = 0
  }

  private func moveToFile() throws(AuricleError) {
    guard spare >= 0 else {
      throw AuricleError(
        .software, "\(path) has to be read twice, and there is no temporary file for it")
    }
    file = spare
    let size = channelCount * Self.blockFrames
    let kept = memory
    for number in 0..<(kept.count / size) {
      let slice = Array(kept[(number * size)..<((number + 1) * size)])
      try unsafe slice.withUnsafeBufferPointer { (samples) throws(AuricleError) in
        guard let base = samples.baseAddress else { return }
        try unsafe write(base, size, at: number)
      }
    }
    memory = []
  }

  private func load(_ number: Int) throws(AuricleError) -> PlanarBuffer {
    if number == blockCount { return block }
    guard cached != number else { return cache }
    let size = channelCount * Self.blockFrames
    if file < 0 {
      unsafe memory.withUnsafeBufferPointer { memory in
        guard let base = memory.baseAddress else { return }
        unsafe cache.rows[0].update(from: base + number * size, count: size)
      }
    } else {
      try unsafe read(cache.rows[0], size, at: number)
    }
    cached = number
    return cache
  }

  /// Where a block of so many bytes lies in the file.
  private func place(_ number: Int, _ size: Int) -> off_t {
    off_t((number * laneCount + lane) * size)
  }

  private func write(
    _ samples: UnsafePointer<Float>, _ count: Int, at number: Int
  ) throws(AuricleError) {
    let bytes = unsafe UnsafeRawPointer(samples)
    var done = 0
    while done < 4 * count {
      let step = retrying {
        unsafe pwrite(file, bytes + done, 4 * count - done, place(number, 4 * count) + off_t(done))
      }
      guard step > 0 else { throw systemError(step < 0 ? errno : ENOSPC, "write", path) }
      done += step
    }
  }

  private func read(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, at number: Int
  ) throws(AuricleError) {
    let bytes = UnsafeMutableRawPointer(samples)
    var done = 0
    while done < 4 * count {
      let step = retrying {
        unsafe pread(file, bytes + done, 4 * count - done, place(number, 4 * count) + off_t(done))
      }
      guard step > 0 else { throw systemError(step < 0 ? errno : EIO, "read back", path) }
      done += step
    }
  }
}
