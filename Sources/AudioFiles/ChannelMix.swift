// From one number of channels to another: which input goes into which output, and how loud.
// SPDX-License-Identifier: Apache-2.0

import CSndFile
import Glibc

/// How channels are adapted.
///
/// Fewer channels are mixed so that no sum can be louder than full scale; the channel for low
/// frequencies (LFE) is left out. One channel becomes two that are the same, or the centre of more.
public struct ChannelMix: Sendable, Equatable {
  /// One part of a mix.
  public struct Part: Sendable, Equatable {
    /// The channel that goes in, from 0.
    public var input: Int
    /// How loud it is, linear.
    public var gain: Float
  }

  /// What goes into each channel that comes out; nothing is silence.
  public private(set) var outputs: [[Part]]
  /// Channels that go in.
  public let inputCount: Int
  /// What is done, in a few words: `6 channels mixed to 2`; nil when nothing is.
  public private(set) var description: String?

  /// Channels that come out.
  public var outputCount: Int { outputs.count }
  /// Whether everything stays as it is.
  public var isIdentity: Bool { description == nil }

  /// Where a loudspeaker stands, as far as mixing goes.
  private enum Place {
    case left, right, center, low, behindLeft, behindRight, behind, other
  }

  /// Plans an adaptation.
  ///
  /// `channelMap` is that of `AudioFileMetadata`; without one the order of WAV is taken.
  public init(from inputCount: Int, to outputCount: Int, channelMap: [Int32] = []) {
    self.inputCount = inputCount
    outputs = (0..<outputCount).map { channel in
      channel < inputCount ? [Part(input: channel, gain: 1)] : []
    }
    guard inputCount != outputCount else { return }
    let places = Self.places(inputCount, channelMap)
    switch (inputCount, outputCount) {
    case (1, 2):
      outputs = [[Part(input: 0, gain: 1)], [Part(input: 0, gain: 1)]]
      description = "1 channel on both of 2"
    case (1, _):
      let target = Self.places(outputCount, []).firstIndex { $0 == .center }
      outputs = (0..<outputCount).map { channel in
        let isTaken = target.map { $0 == channel } ?? (channel < 2)
        return isTaken ? [Part(input: 0, gain: 1)] : []
      }
      description =
        target == nil
        ? "1 channel on the first two of \(outputCount)"
        : "1 channel in the centre of \(outputCount)"
    case (_, 1):
      let both = Self.stereo(places)
      var gains = [Float](repeating: 0, count: inputCount)
      for part in both.flatMap({ $0 }) { gains[part.input] += part.gain / 2 }
      outputs = [
        gains.enumerated().filter { $1 > 0 }.map { Part(input: $0, gain: $1) }
      ]
      let softer = normalize()
      description =
        inputCount == 2
        ? "2 channels mixed to 1, their mean"
        : "\(inputCount) channels mixed to 1 (\(Self.manner(places))\(softer))"
    case (_, 2):
      outputs = Self.stereo(places)
      let softer = normalize()
      description = "\(inputCount) channels mixed to 2 (\(Self.manner(places))\(softer))"
    case _ where outputCount < inputCount:
      description = "the first \(outputCount) of \(inputCount) channels"
    default:
      description = "\(inputCount) channels and \(outputCount - inputCount) silent ones"
    }
    if outputCount <= 2, inputCount > 2, places.contains(.low) {
      description = description.map { $0 + " without the low frequency channel" }
    }
  }

  /// Left and right of any set of loudspeakers, by the coefficients of ITU-R BS.775.
  private static func stereo(_ places: [Place]) -> [[Part]] {
    let half: Float = 0.707_106_77
    var left: [Part] = []
    var right: [Part] = []
    for (input, place) in places.enumerated() {
      switch place {
      case .left: left.append(Part(input: input, gain: 1))
      case .right: right.append(Part(input: input, gain: 1))
      case .behindLeft: left.append(Part(input: input, gain: half))
      case .behindRight: right.append(Part(input: input, gain: half))
      case .center, .behind:
        left.append(Part(input: input, gain: half))
        right.append(Part(input: input, gain: half))
      case .low: continue
      case .other:
        // Nobody knows where it stands: the odd ones left, the even ones right.
        if input % 2 == 0 {
          left.append(Part(input: input, gain: 1))
        } else {
          right.append(Part(input: input, gain: 1))
        }
      }
    }
    return [left, right]
  }

  /// How loudspeakers were mixed, in words.
  private static func manner(_ places: [Place]) -> String {
    places.contains(.other) ? "odd ones left, even ones right" : "ITU-R BS.775"
  }

  /// Makes the loudest output no louder than its inputs: all outputs by the same factor, which is told.
  private mutating func normalize() -> String {
    let most = outputs.map { $0.reduce(Float(0)) { $0 + $1.gain } }.max() ?? 1
    guard most > 1 else { return "" }
    for output in outputs.indices {
      for part in outputs[output].indices { outputs[output][part].gain /= most }
    }
    let tenths = Int((200 * log10(Double(most))).rounded())
    return ", \(tenths / 10).\(tenths % 10) dB softer"
  }

  private static func places(_ count: Int, _ channelMap: [Int32]) -> [Place] {
    if channelMap.count == count {
      let told = channelMap.map { place(Int($0)) }
      if told.contains(.left), told.contains(.right) { return told }
    }
    let usual: [Place]
    switch count {
    case 1: usual = [.center]
    case 2: usual = [.left, .right]
    case 3: usual = [.left, .right, .center]
    case 4: usual = [.left, .right, .behindLeft, .behindRight]
    case 5: usual = [.left, .right, .center, .behindLeft, .behindRight]
    case 6: usual = [.left, .right, .center, .low, .behindLeft, .behindRight]
    case 7: usual = [.left, .right, .center, .low, .behind, .behindLeft, .behindRight]
    case 8:
      usual = [
        .left, .right, .center, .low, .behindLeft, .behindRight, .behindLeft, .behindRight,
      ]
    default: usual = Array(repeating: .other, count: count)
    }
    return usual
  }

  private static func place(_ number: Int) -> Place {
    switch number {
    case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT: .left
    case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT: .right
    case SF_CHANNEL_MAP_MONO, SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_FRONT_CENTER: .center
    case SF_CHANNEL_MAP_LFE: .low
    case SF_CHANNEL_MAP_REAR_LEFT, SF_CHANNEL_MAP_SIDE_LEFT: .behindLeft
    case SF_CHANNEL_MAP_REAR_RIGHT, SF_CHANNEL_MAP_SIDE_RIGHT: .behindRight
    case SF_CHANNEL_MAP_REAR_CENTER: .behind
    default: .other
    }
  }
}
