// The abilities of a device, found out by opening it.
// SPDX-License-Identifier: Apache-2.0

/// One direction of a device as it can be set.
package struct DeviceProbe: Sendable, Equatable {
  /// Channels, least and most.
  package var channelCounts: ClosedRange<Int>
  /// Rates (Hz) that it accepts: those in use, and both ends.
  package var sampleRates: [Double]
  /// The rates between which it accepts any (Hz); nil where it has a few only.
  package var rateRange: ClosedRange<Double>?
  /// Sample formats, the best first.
  package var formats: [PCMFormat]
  /// Frames of a period, least and most.
  package var periods: ClosedRange<Int>
  /// Frames from a client to the connector, with the settings of a player; nil where it could not be set.
  package var latencyFrames: Int?
  /// The configuration without any request.
  package var usual: PCMConfiguration?

  static let usualRates: [Double] = [
    8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
  ]
}

extension DeviceProbe {
  /// Several devices side by side, the one whose clock counts first: the rates and periods that all have.
  package init?(sideBySide probes: [DeviceProbe]) {
    guard let first = probes.first, let made = first.usual else { return nil }
    let count = probes.reduce(0) { $0 + ($1.usual?.channelCount ?? 0) }
    channelCounts = count...count
    sampleRates = first.sampleRates.filter { rate in
      probes.allSatisfy { $0.accepts(sampleRate: rate) }
    }
    rateRange = nil
    formats = [.native]
    let least = probes.map(\.periods.lowerBound).max() ?? 16
    periods = least...max(least, probes.map(\.periods.upperBound).min() ?? least)
    usual = PCMConfiguration(
      format: .native, isPlanar: false, channelCount: count, sampleRate: made.sampleRate,
      periodFrames: made.periodFrames, bufferFrames: made.bufferFrames)
    latencyFrames = first.latencyFrames
  }

  /// Whether it runs at a rate (Hz).
  package func accepts(sampleRate: Double) -> Bool {
    sampleRates.contains(sampleRate) || rateRange?.contains(sampleRate) == true
  }
}
