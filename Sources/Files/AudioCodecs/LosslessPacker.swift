// Packets of Apple lossless of the depths that the codec library does not encode: 20 and 32 bits.
// SPDX-License-Identifier: Apache-2.0

/// Makes packets of Apple lossless: channels as differences, predicted from four samples, in adaptive Rice codes.
struct LosslessPacker {
  /// Frames of a packet.
  static let blockFrames = 4096

  private let depth: Int
  private let channelCount: Int
  /// The coefficients with which the prediction of each channel begins: those at the end of the
  /// packet before.
  private var coefficients: [[Int]]

  /// Coefficients are multiples of 1/512.
  private static let shift = 9
  private static let order = 4
  /// The pairs of channels, by their number: 2 for a pair.
  private static let elements: [[Int]] = [
    [1], [2], [1, 2], [1, 2, 1], [1, 2, 2], [1, 2, 2, 1], [1, 2, 2, 1, 1], [1, 2, 2, 2, 1],
  ]

  /// Packs samples of 17 to 32 bits, which are in the high bits of 32.
  init(depth: Int, channelCount: Int) {
    self.depth = depth
    self.channelCount = channelCount
    coefficients = Array(repeating: [1216, -928, -64, 0], count: channelCount)
  }

  /// The configuration for decoders.
  func configuration(sampleRate: Double) -> [UInt8] {
    [0, 0, 16, 0, 0, UInt8(depth), 40, 10, 14, UInt8(channelCount), 0, 255] + [0, 0, 0, 0]
      + [0, 0, 0, 0] + Cookies.big(UInt32(sampleRate))
  }

  /// Makes a packet of interleaved samples.
  mutating func pack(_ samples: UnsafePointer<Int32>, frameCount: Int) -> [UInt8] {
    var bits = BitWriter()
    var channel = 0
    for width in Self.elements[channelCount - 1] {
      var rows: [[Int]] = []
      for index in channel..<channel + width {
        rows.append(
          (0..<frameCount).map { unsafe Int(samples[$0 * channelCount + index]) >> (32 - depth) })
      }
      let start = bits
      let kept = coefficients
      bits.put(width - 1, 3)
      bits.put(0, 16)
      pack(rows, channel, into: &bits)
      // Noise is smaller as it is; pairs of 32 bits are not decoded so everywhere.
      if bits.count - start.count > 64 + depth * width * frameCount, depth + width <= 33 {
        (bits, coefficients) = (start, kept)
        bits.put(width - 1, 3)
        bits.put(0, 16)
        putHead(frameCount, extra: 0, isPlain: true, &bits)
        for frame in 0..<frameCount {
          for row in rows { bits.put(row[frame], depth) }
        }
      }
      channel += width
    }
    bits.put(7, 3)
    return bits.bytes
  }

  private func putHead(_ frameCount: Int, extra: Int, isPlain: Bool, _ bits: inout BitWriter) {
    let isShort = frameCount < Self.blockFrames
    bits.put(isShort ? 1 : 0, 1)
    bits.put(extra / 8, 2)
    bits.put(isPlain ? 1 : 0, 1)
    if isShort { bits.put(frameCount, 32) }
  }

  private mutating func pack(_ rows: [[Int]], _ channel: Int, into bits: inout BitWriter) {
    let frameCount = rows[0].count
    // The low bits of long samples are noise to a prediction.
    let extra = depth > 24 ? 16 : 0
    let size = depth - extra + rows.count - 1
    var high = rows.map { row in row.map { $0 >> extra } }
    var isMixed = false
    if high.count == 2 {
      let side = zip(high[0], high[1]).map { $0 - $1 }
      let middle = zip(high[1], side).map { $0 + $1 >> 1 }
      if Self.roughness(middle) + Self.roughness(side)
        < Self.roughness(high[0]) + Self.roughness(high[1])
      {
        high = [middle, side]
        isMixed = true
      }
    }
    putHead(frameCount, extra: extra, isPlain: false, &bits)
    bits.put(isMixed ? 1 : 0, 8)
    bits.put(isMixed ? 1 : 0, 8)
    for index in rows.indices {
      bits.put(0, 4)
      bits.put(Self.shift, 4)
      bits.put(4, 3)
      bits.put(Self.order, 5)
      for value in coefficients[channel + index] { bits.put(value, 16) }
    }
    if extra > 0 {
      for frame in 0..<frameCount {
        for row in rows { bits.put(row[frame], extra) }
      }
    }
    for (index, row) in high.enumerated() {
      Self.put(residual(of: row, channel + index, size), size, into: &bits)
    }
  }

  private static func roughness(_ row: [Int]) -> Int {
    zip(row, row.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) }
  }

  /// The difference of each sample from a decoder's prediction, which learns from its errors.
  private mutating func residual(of row: [Int], _ channel: Int, _ size: Int) -> [Int] {
    let wrap = { (value: Int) in (value << (64 - size)) >> (64 - size) }
    var taps = coefficients[channel]
    var result = row
    for index in row.indices.dropFirst() {
      guard index > Self.order else {
        result[index] = wrap(row[index] - row[index - 1])
        continue
      }
      let base = row[index - Self.order - 1]
      var sum = 1 << (Self.shift - 1)
      for tap in taps.indices { sum += (row[index - 1 - tap] - base) * taps[tap] }
      // Decoders reckon with 32 bits.
      let guess = Int(Int32(truncatingIfNeeded: sum)) >> Self.shift + base
      let lack = wrap(row[index] - guess)
      result[index] = lack
      var rest = lack
      let sign = lack.signum()
      var tap = Self.order - 1
      while tap >= 0, rest * sign > 0 {
        let step = base - row[index - 1 - tap]
        let turn = step.signum() * sign
        taps[tap] -= turn
        rest -= ((step * turn) >> Self.shift) * (Self.order - tap)
        tap -= 1
      }
    }
    // In a packet they can grow by no more than its frames: they stay within 16 bits.
    coefficients[channel] = taps.map { max(-16_384, min(16_384, $0)) }
    return result
  }

  /// Rice codes whose length follows the sizes of the numbers before; runs of zeros are counted.
  private static func put(_ numbers: [Int], _ size: Int, into bits: inout BitWriter) {
    var history = 10
    var modifier = 0
    var index = 0
    while index < numbers.count {
      let number = numbers[index]
      let code = number < 0 ? -2 * number - 1 : 2 * number
      putScalar(code - modifier, logarithm(history >> 9 + 3), size, into: &bits)
      modifier = 0
      index += 1
      history = code > 0xFFFF ? 0xFFFF : history + code * 40 - (history * 40) >> 9
      guard history < 128, index < numbers.count else { continue }
      var run = 0
      while index < numbers.count, numbers[index] == 0 {
        index += 1
        run += 1
      }
      putScalar(run, 7 - logarithm(history) + (history + 16) >> 6, 16, into: &bits)
      modifier = 1
      history = 0
    }
  }

  private static func putScalar(
    _ number: Int, _ length: Int, _ size: Int, into bits: inout BitWriter
  ) {
    let length = min(length, 14)
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: 1 << length - 1)
    guard quotient <= 8 else {
      bits.put(0x1FF, 9)
      bits.put(number, size)
      return
    }
    bits.put(1 << quotient - 1, quotient)
    bits.put(0, 1)
    guard length != 1 else { return }
    if rest > 0 { bits.put(rest + 1, length) } else { bits.put(0, length - 1) }
  }

  private static func logarithm(_ number: Int) -> Int {
    number > 0 ? Int.bitWidth - 1 - number.leadingZeroBitCount : 0
  }
}

/// Writes bits from the highest of each byte on.
private struct BitWriter {
  private var whole: [UInt8] = []
  private var rest: UInt64 = 0
  private var restCount = 0

  /// Bits so far.
  var count: Int { whole.count * 8 + restCount }

  /// The bytes; the last one is filled with zeros.
  var bytes: [UInt8] {
    restCount == 0 ? whole : whole + [UInt8(truncatingIfNeeded: rest << UInt64(8 - restCount))]
  }

  /// Writes the low bits of a number.
  mutating func put(_ number: Int, _ size: Int) {
    guard size > 0 else { return }
    let mask: UInt64 = 1 << UInt64(size) - 1
    rest = rest << UInt64(size) | UInt64(bitPattern: Int64(number)) & mask
    restCount += size
    while restCount >= 8 {
      restCount -= 8
      whole.append(UInt8(truncatingIfNeeded: rest >> UInt64(restCount)))
    }
  }
}
