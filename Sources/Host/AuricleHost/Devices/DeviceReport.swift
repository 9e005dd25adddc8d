// Reports on sound devices: names, directions, and facts that opening them brings.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes

/// One sound device.
public struct DeviceReport: Sendable, Equatable, Encodable {
  /// One direction of a device, as it can be set.
  public struct Side: Sendable, Equatable, Encodable {
    /// The least and the most channels.
    public var channels: [Int]
    /// Sample rates (Hz) that it supports, of those in use.
    public var sampleRates: [Double]
    /// The lowest and the highest rate (Hz), where it supports any between them.
    public var anySampleRate: [Double]?
    /// Sample formats, as ALSA names them, the best first.
    public var formats: [String]
    /// The shortest and the longest period, in frames.
    public var periods: [Int]
    /// Milliseconds from a program to the connector, or back, with the settings of a player.
    public var latencyMilliseconds: Double?
  }

  /// The name that opens it.
  public var name: String
  /// Its title.
  public var title: String
  /// `card`, `pcm` (of alsa-lib) or `file`.
  public var kind: String
  /// Whether it plays.
  public var plays: Bool
  /// Whether it records.
  public var records: Bool
  /// Whether it is used where none is named.
  public var isDefault: Bool
  /// The program that holds it, with its number.
  public var heldBy: String?
  /// Its output, where it was opened.
  public var output: Side?
  /// Its input, where it was opened.
  public var input: Side?
  /// Why it cannot be opened, where that was tried.
  public var problem: String?
}

extension AuricleInstallation {
  /// The sound devices of this machine.
  ///
  /// - Parameter probes: Whether each is opened, and its abilities are reported.
  ///
  /// Context: control; opening may need a second a device.
  public func devices(probes: Bool = false) -> [DeviceReport] {
    DeviceListing.all().map { listing in
      var report = DeviceReport(
        name: listing.name, title: listing.title, kind: listing.kind, plays: listing.hasOutput,
        records: listing.hasInput, isDefault: listing.isDefault, heldBy: listing.holder)
      guard probes else { return report }
      do throws(AuricleError) {
        if listing.hasOutput { report.output = try Self.side(listing.name, .playback) }
      } catch { report.problem = error.message }
      do throws(AuricleError) {
        if listing.hasInput { report.input = try Self.side(listing.name, .capture) }
      } catch { report.problem = report.problem ?? error.message }
      return report
    }
  }

  private static func side(
    _ name: String, _ direction: PCMDirection
  ) throws(AuricleError) -> DeviceReport.Side {
    let probe = try DeviceProbe(name, direction)
    return DeviceReport.Side(
      channels: [probe.channelCounts.lowerBound, probe.channelCounts.upperBound],
      sampleRates: probe.sampleRates,
      anySampleRate: probe.rateRange.map { [$0.lowerBound, $0.upperBound] },
      formats: probe.formats.map(\.rawValue),
      periods: [probe.periods.lowerBound, probe.periods.upperBound],
      latencyMilliseconds: probe.usual.flatMap { usual in
        probe.latencyFrames.map { Double($0) * 1000 / usual.sampleRate }
      })
  }
}
