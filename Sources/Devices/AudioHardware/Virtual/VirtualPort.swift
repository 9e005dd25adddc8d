// A port whose hardware is computed: its position follows a clock, exactly, with faults where a test wants them.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc

/// One direction of a device that is not there.
package final class VirtualPort: PCMPort {
  /// The abilities of the device.
  package struct Traits: Sendable {
    /// Rates that it runs at (Hz).
    package var sampleRates: ClosedRange<Double> = 1...768_000
    /// Channels that it accepts.
    package var channelCounts: ClosedRange<Int> = 1...64
    /// Channels where nothing is asked for.
    package var usualChannelCount = 2
    /// Sample formats, the best first.
    package var formats: [PCMFormat] = PCMFormat.preferred
    /// Frames of the shortest and the longest period.
    package var periods: ClosedRange<Int> = 8...65_536
    /// Parts per million that its clock is fast.
    package var partsPerMillion = 0.0
    /// Frames by which the position moves at once.
    package var burst = 1
    /// Frames between the position and the connector.
    package var latency = 0
    /// The faults to come.
    package var faults: [PortFault] = []

    /// A device that accepts anything and never fails.
    package init() {}
  }

  /// The name.
  package let name: String
  /// Direction of the sound.
  package let direction: PCMDirection
  let clock: any DeviceClock
  let traits: Traits
  let end: any PortEnd
  var configuration: PCMConfiguration?
  var state = PCMState.open
  /// Resumes that still fail after a sleep; nil where all do.
  var resumesUntilAwake: Int?
  var ring: PCMBlock?
  /// Frames written or read since it was prepared, and frames that the hardware has done.
  var application: Int64 = 0
  var hardware: Int64 = 0
  /// Frames that the hardware had done before it was prepared the last time.
  var before: Int64 = 0
  /// The position at a time, from which it is computed.
  var base: Int64 = 0
  var epoch: UInt64 = 0
  var stalledUntil: UInt64 = 0
  var isHanging = false
  var emptyWakes = 0
  var transferLimit = Int.max
  var nextFault = 0
  var delivered: Int64 = 0
  var hasEnded = false
  /// The first failure of the far end, a negated `errno`.
  package internal(set) var failure: Int32 = 0

  /// Makes a port.
  package init(
    name: String, direction: PCMDirection, clock: any DeviceClock, traits: Traits = Traits(),
    end: any PortEnd
  ) {
    self.name = name
    self.direction = direction
    self.clock = clock
    self.traits = traits
    self.end = end
  }

  /// Accepts the configuration of the far end, or else the requested one.
  package func configure(_ request: PCMRequest) throws(AuricleError) -> PCMConfiguration {
    let rate =
      end.sampleRate
      ?? min(max(request.sampleRate, traits.sampleRates.lowerBound), traits.sampleRates.upperBound)
    let channels = end.channelCount ?? request.channelCount ?? traits.usualChannelCount
    guard traits.channelCounts.contains(channels) else {
      let limits = traits.channelCounts
      throw AuricleError(
        .badData,
        "\(name) does not take \(channels) channels: it takes \(limits.lowerBound) to \(limits.upperBound)"
      )
    }
    let offered = end.format.map { [$0] } ?? traits.formats
    guard
      let format = request.format.map({ wanted in offered.first { $0 == wanted } }) ?? offered.first
    else {
      throw AuricleError(
        .badData,
        "\(name) does not take the format \(request.format?.rawValue ?? ""): it takes "
          + offered.map(\.rawValue).joined(separator: ", "))
    }
    let period = min(
      max(request.periodFrames, traits.periods.lowerBound), traits.periods.upperBound)
    let made = PCMConfiguration(
      format: format, isPlanar: false, channelCount: channels, sampleRate: rate,
      periodFrames: period, bufferFrames: period * max(2, request.periodCount),
      isBatch: traits.burst > 1)
    try end.begin(made)
    configuration = made
    ring = PCMBlock(made, frameCapacity: made.bufferFrames)
    return made
  }

  /// Begins at position 0.
  package func prepare() -> Int32 {
    guard configuration != nil else { return -EBADFD }
    if state == .disconnected { return -ENODEV }
    if state == .running { update() }
    before += hardware
    application = 0
    hardware = 0
    delivered = 0
    base = 0
    isHanging = false
    stalledUntil = 0
    state = .prepared
    return 0
  }

  /// Starts the clock.
  package func start() -> Int32 {
    if state == .disconnected { return -ENODEV }
    guard state == .prepared else { return -EBADFD }
    let status = end.start()
    guard status == 0 else { return status }
    epoch = clock.now()
    base = hardware
    state = .running
    return 0
  }

  /// Continues where it was.
  package func resume() -> Int32 {
    guard state == .suspended else { return -EBADFD }
    guard let left = resumesUntilAwake else { return -ENOSYS }
    guard left == 0 else {
      resumesUntilAwake = left - 1
      return -EAGAIN
    }
    (epoch, base) = (clock.now(), hardware)
    state = .running
    return 0
  }

  /// Stops.
  package func drop() {
    if state == .running { update() }
    if state != .disconnected { state = .open }
  }

  /// Ends the far end.
  package func close() {
    drop()
    end.finish()
  }

  /// Nothing: no wait is longer than the time-out of its owner.
  package func wake() {}

  /// The state of the device.
  package func status() -> PCMStatus {
    update()
    let queued =
      direction == .playback ? Int(application - hardware) : Int(hardware - application)
    return PCMStatus(
      state: hasEnded ? .ended : state, delay: queued + traits.latency,
      stamp: state == .running ? clock.now() : 0, position: hardware)
  }
}
