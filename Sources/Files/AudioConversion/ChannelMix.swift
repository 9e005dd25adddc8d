// Mixes one number of channels to another: which input goes into which output, and how loud.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The adaptation of channels.
///
/// Each channel keeps its loudspeaker. Where there is none for it, the nearest ones play its sound
/// (ITU-R BS.775), all softer, so that no sum can be louder than full scale. The channel for low
/// frequencies (LFE) is left out then. One channel becomes two that are the same, or the centre of
/// more.
public struct ChannelMix: Sendable, Equatable {
  /// One part of a mix.
  public struct Part: Sendable, Equatable {
    /// The channel that goes in, from 0.
    public var input: Int
    /// The linear gain.
    public var gain: Float
  }

  /// The parts of each channel of the output; nothing is silence.
  public private(set) var outputs: [[Part]]
  /// Channels that go in.
  public let inputCount: Int
  /// The adaptation in a few words: `6 channels mixed to 2`; nil for none.
  public private(set) var description: String?
  /// The loudspeaker of each output channel; empty if unknown.
  public private(set) var outputMap: [Int32] = []

  /// Channels that come out.
  public var outputCount: Int { outputs.count }
  /// Whether everything stays as it is.
  public var isIdentity: Bool { description == nil && inputCount == outputCount }

  /// Plans an adaptation.
  ///
  /// `channelMap` has the numbers of `ChannelOrder`; without one the order of WAV counts.
  public init(from inputCount: Int, to outputCount: Int, channelMap: [Int32] = []) {
    self.inputCount = inputCount
    outputs = (0..<outputCount).map { channel in
      channel < inputCount ? [Part(input: channel, gain: 1)] : []
    }
    guard inputCount != outputCount else { return }
    let speakers = Loudspeakers(inputCount, channelMap)
    switch (inputCount, outputCount) {
    case (1, 2):
      outputs = [[Part(input: 0, gain: 1)], [Part(input: 0, gain: 1)]]
      description = "1 channel on both of 2"
    case (1, _):
      let target = ChannelOrder.usualMap(outputCount).firstIndex(of: ChannelOrder.center)
      outputs = (0..<outputCount).map { channel in
        let isUsed = target.map { $0 == channel } ?? (channel < 2)
        return isUsed ? [Part(input: 0, gain: 1)] : []
      }
      description =
        target == nil
        ? "1 channel on the first two of \(outputCount)"
        : "1 channel in the centre of \(outputCount)"
    case (_, 1):
      var gains = [Float](repeating: 0, count: inputCount)
      for part in speakers.routed(to: Loudspeakers.stereo).joined() {
        gains[part.input] += part.gain / 2
      }
      outputs = [
        gains.enumerated().filter { $1 > 0 }.map { Part(input: $0, gain: $1) }
      ]
      let softer = normalize()
      description =
        inputCount == 2
        ? "2 channels mixed to 1, their mean"
        : "\(inputCount) channels mixed to 1 (\(speakers.manner)\(softer))"
    case (_, 2):
      outputs = speakers.routed(to: Loudspeakers.stereo)
      let softer = normalize()
      description = "\(inputCount) channels mixed to 2 (\(speakers.manner)\(softer))"
    default:
      adapt(speakers, to: ChannelOrder.usualMap(outputCount), outputCount)
    }
    let targets = ChannelOrder.usualMap(outputCount)
    outputMap = targets
    if inputCount > 2, speakers.map.contains(ChannelOrder.low),
      outputCount <= 2 || !targets.isEmpty && !targets.contains(ChannelOrder.low)
    {
      description = description.map { $0 + " without the low frequency channel" }
    }
  }

  /// Selects some of the channels of the input, as they are.
  public init(from inputCount: Int, taking channels: Range<Int>) {
    self.inputCount = inputCount
    outputs = channels.map { $0 < inputCount ? [Part(input: $0, gain: 1)] : [] }
  }

  /// Keeps the loudspeaker of each among three channels and more; where there is none, the nearest
  /// ones play its sound.
  private mutating func adapt(_ speakers: Loudspeakers, to targets: [Int32], _ outputCount: Int) {
    let areKnown = !speakers.map.isEmpty && !targets.isEmpty
    if areKnown { outputs = speakers.routed(to: targets) }
    let silent = outputs.count { $0.isEmpty }
    if outputs.contains(where: { $0.count > 1 || $0.first.map { $0.gain != 1 } == true }) {
      let softer = normalize()
      description = "\(inputCount) channels mixed to \(outputCount) (\(speakers.manner)\(softer))"
    } else if outputCount < inputCount {
      description = "\(areKnown ? "" : "the first ")\(outputCount) of \(inputCount) channels"
    } else {
      description = "\(inputCount) channels and \(silent) silent \(silent == 1 ? "one" : "ones")"
    }
  }

  /// Makes the loudest output no louder than its inputs: all outputs by the same factor, which is
  /// returned in words.
  private mutating func normalize() -> String {
    let most = outputs.map { $0.reduce(Float(0)) { $0 + $1.gain } }.max() ?? 1
    guard most > 1 else { return "" }
    for output in outputs.indices {
      for part in outputs[output].indices { outputs[output][part].gain /= most }
    }
    let tenths = Int((200 * log10(Double(most))).rounded())
    return ", \(tenths / 10).\(tenths % 10) dB softer"
  }
}
