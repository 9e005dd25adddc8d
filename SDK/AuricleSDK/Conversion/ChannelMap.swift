// Maps input channels to output channels.
// SPDX-License-Identifier: Apache-2.0

/// For each output channel: one input channel, the mean of all, or silence.
///
/// Without a map of the host: equal counts map channel by channel; mono maps to the first two; many channels
/// map to mono as their mean; otherwise common channels are passed.
@safe struct ChannelMap: BitwiseCopyable {
  /// Silence, in a map.
  static var silence: Int32 { @_noLocks get { -1 } }
  /// The mean of all input channels, in a map.
  static var mean: Int32 { @_noLocks get { -2 } }

  private let sources: UnsafeMutablePointer<Int32>
  private let inputCount: Int
  /// Whether output channel n is input channel n for all.
  let isIdentity: Bool

  /// Makes the map of two channel counts; `wanted` is that of the host, an input channel or −1 for each
  /// output channel.
  init(inputs: Int, outputs: Int, _ wanted: [Int32]) {
    inputCount = inputs
    unsafe sources = .allocate(capacity: max(outputs, 1))
    var isIdentity = inputs == outputs
    for channel in 0..<outputs {
      var source = Int32(channel < inputs ? channel : -1)
      if inputs == 1 && channel < 2 { source = 0 }
      if outputs == 1 && inputs > 1 { source = Self.mean }
      if !wanted.isEmpty {
        let asked = channel < wanted.count ? wanted[channel] : Self.silence
        source = asked >= 0 && Int(asked) < inputs ? asked : Self.silence
      }
      unsafe (sources + channel).initialize(to: source)
      if source != Int32(channel) { isIdentity = false }
    }
    self.isIdentity = isIdentity
  }

  /// Frees the map. Context: control.
  func deallocate() { unsafe sources.deallocate() }

  /// Writes an output channel from the input of a slice. Context: render.
  @_noLocks func write(
    _ channel: Int, _ slice: borrowing RenderSlice, to target: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    let source = unsafe sources[channel]
    if source >= 0 {
      unsafe SampleRun.copy(slice.input(bus: 0, channel: Int(source)), to: target, count)
    } else {
      unsafe SampleRun.clear(target, count)
      guard source == Self.mean else { return }
      let gain = 1 / Float(inputCount)
      for input in 0..<inputCount {
        unsafe SampleRun.add(slice.input(bus: 0, channel: input), gain: gain, to: target, count)
      }
    }
  }

  /// Writes an output channel from planar channels in one memory. Context: render.
  @_noLocks func write(
    _ channel: Int, _ samples: UnsafeMutablePointer<Float>, stride: Int,
    to target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let source = unsafe sources[channel]
    if source >= 0 {
      unsafe SampleRun.copy(samples + Int(source) * stride, to: target, count)
    } else {
      unsafe SampleRun.clear(target, count)
    }
  }
}
