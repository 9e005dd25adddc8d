// The abilities of a device, found out by opening it.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CALSA

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

  /// Opens a device and reads its abilities.
  ///
  /// - Throws: The reason why it cannot be opened.
  ///
  /// Context: control; a sound server may need a second to answer.
  package init(_ name: String, _ direction: PCMDirection) throws(AuricleError) {
    switch try DeviceName(name) {
    case .alsa(let pcm): try self.init(pcm: pcm, direction)
    case .file(let device): try self.init(file: device, direction)
    case .network(let device): self.init(network: device)
    }
  }

  /// Another machine, which is not asked: a sender and a receiver have the rate and channels that this end wants.
  private init(network device: NetworkDevice) {
    let rate = device.sampleRate ?? 48_000
    let request = PCMRequest()
    channelCounts = device.channelCount.map { $0...$0 } ?? 1...64
    sampleRates = device.sampleRate.map { [$0] } ?? Self.usualRates
    rateRange = nil
    formats = [.native]
    periods = VirtualPort.Traits().periods
    let made = PCMConfiguration(
      format: .native, isPlanar: false, channelCount: device.channelCount ?? 2, sampleRate: rate,
      periodFrames: request.periodFrames,
      bufferFrames: request.periodFrames * request.periodCount)
    usual = made
    latencyFrames = made.bufferFrames
  }

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

  /// A PCM of ALSA.
  private init(pcm: String, _ direction: PCMDirection) throws(AuricleError) {
    let name = pcm
    let port = try ALSAPort(name: pcm, direction: direction)
    defer { port.close() }
    var made: OpaquePointer?
    guard let handle = unsafe port.pcm, unsafe snd_pcm_hw_params_malloc(&made) == 0,
      let hardware = unsafe made
    else { throw AuricleError(.temporary, "there is no memory left for \(name)") }
    defer { unsafe snd_pcm_hw_params_free(hardware) }
    let status = unsafe snd_pcm_hw_params_any(handle, hardware)
    guard status >= 0 else { throw ALSAFailure.opening(name, direction, status) }
    var low: UInt32 = 0
    var high: UInt32 = 0
    unsafe _ = snd_pcm_hw_params_get_channels_min(hardware, &low)
    unsafe _ = snd_pcm_hw_params_get_channels_max(hardware, &high)
    guard high > 0 else { throw ALSAFailure.opening(name, direction, -ENXIO) }
    channelCounts = Int(low)...max(Int(low), Int(clamping: high))
    unsafe _ = snd_pcm_hw_params_get_rate_min(hardware, &low, nil)
    unsafe _ = snd_pcm_hw_params_get_rate_max(hardware, &high, nil)
    let ends = Double(low)...Double(max(low, high))
    let used = Self.usualRates.filter {
      unsafe snd_pcm_hw_params_test_rate(handle, hardware, UInt32($0), 0) == 0
    }
    sampleRates = used.isEmpty ? [ends.lowerBound, ends.upperBound] : used
    // A device that accepts a rate in no use accepts those beside it, too.
    let odd = UInt32(min(max(ends.lowerBound, 44_777), ends.upperBound))
    let isAny = unsafe snd_pcm_hw_params_test_rate(handle, hardware, odd, 0) == 0
    rateRange = isAny && ends.lowerBound < ends.upperBound ? ends : nil
    formats = PCMFormat.preferred.filter {
      unsafe snd_pcm_hw_params_test_format(handle, hardware, $0.code) == 0
    }
    var least: snd_pcm_uframes_t = 0
    var most: snd_pcm_uframes_t = 0
    unsafe _ = snd_pcm_hw_params_get_period_size_min(hardware, &least, nil)
    unsafe _ = snd_pcm_hw_params_get_period_size_max(hardware, &most, nil)
    periods = Int(clamping: least)...max(Int(clamping: least), Int(clamping: most))
    usual = try? port.configure(PCMRequest())
    latencyFrames = usual?.bufferFrames
  }

  /// A device of files.
  private init(
    file device: DeviceName.FileDevice, _ direction: PCMDirection
  ) throws(AuricleError) {
    let traits = VirtualPort.Traits()
    var request = PCMRequest()
    let running = try device.runningRate()
    if let running { request.sampleRate = running }
    if let period = device.periodFrames { request.periodFrames = period }
    var channels = device.channelCount.map { $0...$0 } ?? traits.channelCounts
    var rates = running.map { [$0] } ?? Self.usualRates
    var made = PCMConfiguration(
      format: device.format, isPlanar: false, channelCount: device.channelCount ?? 2,
      sampleRate: request.sampleRate, periodFrames: request.periodFrames,
      bufferFrames: request.periodFrames * request.periodCount)
    if direction == .capture {
      let source = try FileSource(path: device.input.isEmpty ? device.output : device.input)
      made.channelCount = source.channelCount ?? 2
      made.sampleRate = source.sampleRate ?? 48_000
      made.format = source.format ?? .native
      channels = made.channelCount...made.channelCount
      rates = [made.sampleRate]
    }
    channelCounts = channels
    sampleRates = rates
    rateRange =
      rates.count > 1 ? traits.sampleRates : nil
    formats = [made.format]
    periods = device.periodFrames.map { $0...$0 } ?? traits.periods
    usual = made
    latencyFrames = made.bufferFrames
  }
}
