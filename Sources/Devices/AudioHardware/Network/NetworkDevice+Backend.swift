// Another machine as a device: its ports, by the clock of this machine or of another device.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

extension NetworkDevice: DeviceBackend {
  /// The word in front of its names.
  package static let prefix: String? = "net:"

  /// Opens the one side that it has, by the clock of this machine.
  package func ports(
    _ sides: DeviceSides, continues: Bool
  ) throws(AuricleError) -> DevicePorts {
    guard sides != [.output, .input] else {
      throw AuricleError(
        .usage,
        "\(address) either plays or records: name another device for the other side with "
          + "--input or --output")
    }
    let clock = SystemClock()
    let port: any PCMPort = VirtualPort(
      name: address, direction: sides == .output ? .playback : .capture, clock: clock,
      end: sides == .output ? NetworkSink(self) : NetworkSource(self))
    return sides == .output ? (port, nil, clock) : (nil, port, clock)
  }

  /// Makes a port by the clock of a device, which has to be that of the world where this one plays.
  package func follower(
    _ direction: PCMDirection, of leader: any DeviceBackend
  ) throws(AuricleError) -> (any PCMPort)? {
    guard direction == .capture || leader.isRealTime else {
      throw AuricleError(
        .usage, "sound goes to the network by the clock of the world: leave clock=free out")
    }
    let end: any PortEnd = direction == .capture ? NetworkSource(self) : NetworkSink(self)
    return FollowingPort(name: address, direction: direction, end: end)
  }

  /// The word in lists.
  package var kind: String { "network" }
  /// A name that says what it replaces.
  package var title: String { "Another machine, \(address)" }

  /// The abilities by its name: a sender and a receiver have the rate and channels that this end wants.
  package func probe(_ direction: PCMDirection) throws(AuricleError) -> DeviceProbe {
    let rate = sampleRate ?? 48_000
    let request = PCMRequest()
    let made = PCMConfiguration(
      format: .native, isPlanar: false, channelCount: channelCount ?? 2, sampleRate: rate,
      periodFrames: request.periodFrames,
      bufferFrames: request.periodFrames * request.periodCount)
    return DeviceProbe(
      channelCounts: channelCount.map { $0...$0 } ?? 1...64,
      sampleRates: sampleRate.map { [$0] } ?? DeviceProbe.usualRates, rateRange: nil,
      formats: [.native], periods: VirtualPort.Traits().periods, latencyFrames: made.bufferFrames,
      usual: made)
  }
}
