// Positions in metadata follow the sound: another sample rate, frames cut off in front.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

extension AudioFileMetadata {
  /// The same for a file of another sample rate: positions counted in frames are multiplied.
  public func scalingPositions(by factor: Double) -> AudioFileMetadata {
    movingPositions(by: 0, scalingBy: factor)
  }

  /// The same for sound that was cut and converted.
  ///
  /// A position `p` becomes `(p + offset) × factor`. Marks before the beginning are left out
  /// (regions are shortened). So are those behind the end, and loops of which a part is missing.
  ///
  /// - Parameters:
  ///   - offset: Frames put in front; negative for frames cut off there. At the rate before.
  ///   - factor: The rate of the result as a multiple of the rate before.
  ///   - frameCount: The length of the result, where it is known: nothing lies behind it.
  public func movingPositions(
    by offset: Int, scalingBy factor: Double, frameCount: Int? = nil
  ) -> AudioFileMetadata {
    guard factor > 0, factor != 1 || offset != 0 || frameCount != nil else { return self }
    func place(_ frame: UInt32) -> Double { ((Double(frame) + Double(offset)) * factor).rounded() }
    var moved = self
    let last = min(frameCount.map(Double.init) ?? .infinity, Double(UInt32.max))
    let running = hasChapters ? chapter(at: -Double(offset)) : nil
    moved.cuePoints = cuePoints.enumerated().compactMap { index, mark in
      let start = index == running ? 0 : place(mark.frame)
      let end = mark.length > 0 ? place(mark.frame &+ mark.length) : start
      guard start <= last, end > 0 || start >= 0 else { return nil }
      var mark = mark
      mark.frame = UInt32(max(start, 0))
      mark.position = UInt32(min(max(place(mark.position), 0), last))
      if mark.length > 0 { mark.length = UInt32(max(min(end, last) - max(start, 0), 0)) }
      return mark
    }
    moved.moveBroadcastTime(by: offset, scalingBy: factor)
    moved.moveLoops(upTo: last, place)
    moved.moveCartTimers(upTo: last, place)
    // It contains frames since midnight, and more.
    if factor != 1 || offset != 0 {
      if !productionXML.isEmpty { moved.leftBehind.append("iXML") }
      moved.productionXML = []
      moved.leaveBehind([.definitions, .definedChannels, .tempo])
      moved.leaveTimedPartsBehind(inFramesAlone: offset == 0)
    }
    return moved
  }

  /// The chapter in which a frame lies.
  private func chapter(at frame: Double) -> Int? {
    cuePoints.indices.filter { Double(cuePoints[$0].frame) <= frame }
      .max { cuePoints[$0].frame < cuePoints[$1].frame }
  }

  /// The time of day of the first frame, in frames since midnight.
  private mutating func moveBroadcastTime(by offset: Int, scalingBy factor: Double) {
    guard broadcastExtension.count >= MemoryLayout<SF_BROADCAST_INFO>.size,
      let low = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.time_reference_low),
      let high = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.time_reference_high)
    else { return }
    unsafe broadcastExtension.withUnsafeMutableBytes { bytes in
      let reference =
        UInt64(unsafe bytes.loadUnaligned(fromByteOffset: low, as: UInt32.self))
        | UInt64(unsafe bytes.loadUnaligned(fromByteOffset: high, as: UInt32.self)) << 32
      // A cut in front makes it begin later.
      let time = (Double(reference) - Double(offset)) * factor
      guard time >= 0, time < 1.8e19, offset != 0 || factor != 1 else { return }
      let moved = UInt64(time.rounded())
      unsafe bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: moved), toByteOffset: low, as: UInt32.self)
      unsafe bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: moved >> 32), toByteOffset: high, as: UInt32.self)
    }
  }

  /// Moves the places in radio traffic data, such as where the next item may begin.
  private mutating func moveCartTimers(upTo last: Double, _ place: (UInt32) -> Double) {
    guard let timers = MemoryLayout<SF_CART_INFO>.offset(of: \.post_timers),
      cart.count >= timers + 64
    else { return }
    unsafe cart.withUnsafeMutableBytes { bytes in
      for timer in 0..<8 {
        // Four characters for its use, and a frame.
        let offset = timers + 8 * timer
        guard unsafe bytes[offset..<offset + 4].contains(where: { $0 != 0 }) else { continue }
        let frame = unsafe bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        let moved = UInt32(min(max(place(frame), 0), min(last, Double(Int32.max))))
        unsafe bytes.storeBytes(of: moved, toByteOffset: offset + 4, as: UInt32.self)
      }
    }
  }

  /// Moves loops, and leaves out the ones that do not lie wholly within the sound.
  private mutating func moveLoops(upTo last: Double, _ place: (UInt32) -> Double) {
    guard instrument.count == MemoryLayout<SF_INSTRUMENT>.size,
      let countOffset = MemoryLayout<SF_INSTRUMENT>.offset(of: \.loop_count)
    else { return }
    let loops = AuricleInstrumentLoopsOffset
    unsafe instrument.withUnsafeMutableBytes { bytes in
      func number(_ offset: Int) -> UInt32 {
        unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      }
      func store(_ number: UInt32, _ offset: Int) {
        unsafe bytes.storeBytes(of: number, toByteOffset: offset, as: UInt32.self)
      }
      // At most sixteen loops of mode, start, end (the frame behind the last), count.
      var kept = 0
      for loop in 0..<min(Int(number(countOffset)), 16) {
        let (from, to) = (loops + 16 * loop, loops + 16 * kept)
        let start = place(number(from + 4))
        var end = place(number(from + 8))
        if number(from + 8) > number(from + 4) { end = max(end, start + 1) }
        guard start >= 0, end <= last else { continue }
        let fields = [number(from), UInt32(start), UInt32(end), number(from + 12)]
        for (index, field) in fields.enumerated() { store(field, to + 4 * index) }
        kept += 1
      }
      for offset in stride(from: loops + 16 * kept, to: loops + 256, by: 4) { store(0, offset) }
      store(UInt32(kept), countOffset)
    }
  }
}
