// The outline of a sound of any length in a few hundred values.
// SPDX-License-Identifier: Apache-2.0

/// The highest, lowest and mean square values of equal parts of a sound, whose length need not be
/// known: when there are too many parts, each two become one.
struct WaveformSummary {
  /// One part.
  struct Part {
    var low = Float.infinity
    var high = -Float.infinity
    var squares: Float = 0
    var count = 0

    mutating func add(_ other: Part) {
      low = min(low, other.low)
      high = max(high, other.high)
      squares += other.squares
      count += other.count
    }
  }

  private var parts: [Part] = []
  private var current = Part()
  private var framesInCurrent = 0
  private var framesPerPart = 16
  private let limit: Int
  /// Frames seen.
  private(set) var frameCount = 0

  /// Keeps at least half of `limit` parts, once there are enough frames.
  ///
  /// When the length is known, parts are as long as they will be from the start.
  init(limit: Int, expectedFrames: Int?) {
    self.limit = limit
    while let expectedFrames, expectedFrames / framesPerPart > limit { framesPerPart *= 2 }
  }

  /// Adds frames of all channels.
  mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) {
    var start = 0
    while start < frameCount {
      let count = min(frameCount - start, framesPerPart - framesInCurrent)
      for channel in 0..<channelCount {
        unsafe add(channels[channel] + start, count)
      }
      framesInCurrent += count
      start += count
      if framesInCurrent == framesPerPart { close() }
    }
    self.frameCount += frameCount
  }

  private mutating func add(_ samples: UnsafePointer<Float>, _ count: Int) {
    // NaN compares as false and is not drawn.
    var lows = SIMD8<Float>(repeating: .infinity)
    var highs = -lows
    var sums = SIMD8<Float>()
    var index = 0
    while index + 8 <= count {
      let block = unsafe UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Float>.self)
      lows.replace(with: block, where: block .< lows)
      highs.replace(with: block, where: block .> highs)
      sums.addProduct(block, block)
      index += 8
    }
    var low = min(current.low, lows.min())
    var high = max(current.high, highs.max())
    var squares = sums.sum()
    while index < count {
      let value = unsafe samples[index]
      low = value < low ? value : low
      high = value > high ? value : high
      squares += value * value
      index += 1
    }
    if !squares.isFinite { squares = 0 }
    current = Part(
      low: low, high: high, squares: current.squares + squares, count: current.count + count)
  }

  private mutating func close() {
    parts.append(current)
    current = Part()
    framesInCurrent = 0
    guard parts.count >= limit else { return }
    for index in 0..<(parts.count / 2) {
      parts[index] = parts[2 * index]
      parts[index].add(parts[2 * index + 1])
    }
    parts.removeLast(parts.count - parts.count / 2)
    framesPerPart *= 2
  }

  /// The sound in so many columns; nil for a column without frames.
  func columns(_ count: Int) -> [Part?] {
    guard frameCount > 0, count > 0 else { return [] }
    let all = framesInCurrent > 0 ? parts + [current] : parts
    return (0..<count).map { column in
      let first = column * frameCount / count / framesPerPart
      let last = max(((column + 1) * frameCount / count - 1) / framesPerPart, first)
      var sum = Part()
      for index in first...last where index < all.count { sum.add(all[index]) }
      return sum.count > 0 ? sum : nil
    }
  }
}
