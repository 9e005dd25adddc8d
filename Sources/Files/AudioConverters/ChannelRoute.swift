// The input channels of each channel of the output, with their gains.
// SPDX-License-Identifier: Apache-2.0

/// The way of channels through a converter.
struct ChannelRoute: Equatable {
  /// One channel that goes in, linear.
  struct Part: Equatable {
    var input: Int
    var gain: Double
  }

  /// The parts of each channel of the output; nothing is silence.
  let outputs: [[Part]]
  /// Channels of the input.
  let inputCount: Int

  /// Routes channels by their numbers, as far as both sides have them.
  init(inputs: Int, outputs: Int) {
    inputCount = inputs
    self.outputs = (0..<outputs).map { $0 < inputs ? [Part(input: $0, gain: 1)] : [] }
  }

  /// Channels by a map: one for each of the output, or a number below 0.
  init(inputs: Int, map: [Int32]) {
    inputCount = inputs
    outputs = map.map {
      $0 >= 0 && Int($0) < inputs ? [Part(input: Int($0), gain: 1)] : []
    }
  }

  /// Channels by gains: a row for each of the input.
  init(gains: [[Float]], outputs: Int) {
    inputCount = gains.count
    self.outputs = (0..<outputs).map { output in
      gains.enumerated().compactMap { input, row in
        row[output] == 0 ? nil : Part(input: input, gain: Double(row[output]))
      }
    }
  }

  /// Whether each channel of the output is that of the same number.
  var isIdentity: Bool {
    outputs.count == inputCount
      && outputs.enumerated().allSatisfy { $1 == [Part(input: $0, gain: 1)] }
  }

  /// Whether each channel of the output is one of the input, or silence.
  var isMap: Bool {
    outputs.allSatisfy { $0.isEmpty || $0.count == 1 && $0[0].gain == 1 }
  }

  /// Writes the channels of the output.
  func mix(
    _ inputs: UnsafeMutablePointer<UnsafeMutablePointer<Double>>,
    into targets: UnsafeMutablePointer<UnsafeMutablePointer<Double>>, frameCount: Int
  ) {
    for (channel, parts) in outputs.enumerated() {
      let target = unsafe targets[channel]
      guard let first = parts.first else {
        unsafe target.update(repeating: 0, count: frameCount)
        continue
      }
      let source = unsafe inputs[first.input]
      if first.gain == 1 {
        unsafe target.update(from: source, count: frameCount)
      } else {
        for frame in 0..<frameCount { unsafe target[frame] = source[frame] * first.gain }
      }
      for part in parts.dropFirst() {
        let source = unsafe inputs[part.input]
        for frame in 0..<frameCount {
          unsafe target[frame] += source[frame] * part.gain
        }
      }
    }
  }
}
