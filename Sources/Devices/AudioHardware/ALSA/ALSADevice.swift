// PCMs of ALSA as devices: cards, and all that alsa-lib puts over them.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CALSA

/// A PCM of ALSA, by its name, as `hw:1,0` or `default`.
package struct ALSADevice: DeviceBackend, Equatable {
  /// All names without another kind's prefix.
  package static let prefix: String? = nil
  /// The name of the PCM.
  package let name: String

  /// Reads a name, which may be any but an empty one.
  package init(_ name: String) throws(AuricleError) {
    guard !name.isEmpty else { throw AuricleError(.usage, "the name of the device is empty") }
    self.name = name
  }

  /// The word in lists.
  package var kind: String { "pcm" }
  /// Its name, as it is in no list of alsa-lib.
  package var title: String { name }

  /// Opens the PCM, once a direction.
  package func ports(
    _ sides: DeviceSides, continues: Bool
  ) throws(AuricleError) -> DevicePorts {
    let playback =
      sides.contains(.output) ? try ALSAPort(name: name, direction: .playback) : nil
    let capture = sides.contains(.input) ? try ALSAPort(name: name, direction: .capture) : nil
    return (playback, capture, SystemClock())
  }

  /// Whether both are PCMs of one card; the clocks of other kinds follow a card.
  package func sharesClock(with other: any DeviceBackend) -> Bool {
    guard let other = other as? ALSADevice else { return true }
    return card != nil && card == other.card
  }

  /// The card that it is of: `1` for `hw:1,0`, `PCH` for `plughw:CARD=PCH,DEV=0`; nil for a PCM of another kind.
  package var card: Substring? {
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, ["hw", "plughw"].contains(parts[0]) else { return nil }
    let first = parts[1].prefix { $0 != "," }
    return first.hasPrefix("CARD=") ? first.dropFirst(5) : first
  }

  /// The control device beside it: that of its card, or the one of the same name.
  package var mixerControl: String? {
    if let card { return "hw:\(card)" }
    guard let range = name.firstRange(of: "CARD=") else { return name }
    return "hw:\(name[range.upperBound...].prefix { $0 != "," })"
  }

  /// Opens the PCM and reads its abilities.
  package func probe(_ direction: PCMDirection) throws(AuricleError) -> DeviceProbe {
    let port = try ALSAPort(name: name, direction: direction)
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
    let channelCounts = Int(low)...max(Int(low), Int(clamping: high))
    unsafe _ = snd_pcm_hw_params_get_rate_min(hardware, &low, nil)
    unsafe _ = snd_pcm_hw_params_get_rate_max(hardware, &high, nil)
    let ends = Double(low)...Double(max(low, high))
    let used = DeviceProbe.usualRates.filter {
      unsafe snd_pcm_hw_params_test_rate(handle, hardware, UInt32($0), 0) == 0
    }
    let sampleRates = used.isEmpty ? [ends.lowerBound, ends.upperBound] : used
    // A device that accepts a rate in no use accepts those beside it, too.
    let odd = UInt32(min(max(ends.lowerBound, 44_777), ends.upperBound))
    let isAny = unsafe snd_pcm_hw_params_test_rate(handle, hardware, odd, 0) == 0
    let rateRange = isAny && ends.lowerBound < ends.upperBound ? ends : nil
    let formats = PCMFormat.preferred.filter {
      unsafe snd_pcm_hw_params_test_format(handle, hardware, $0.code) == 0
    }
    var least: snd_pcm_uframes_t = 0
    var most: snd_pcm_uframes_t = 0
    unsafe _ = snd_pcm_hw_params_get_period_size_min(hardware, &least, nil)
    unsafe _ = snd_pcm_hw_params_get_period_size_max(hardware, &most, nil)
    let periods = Int(clamping: least)...max(Int(clamping: least), Int(clamping: most))
    let usual = try? port.configure(PCMRequest())
    return DeviceProbe(
      channelCounts: channelCounts, sampleRates: sampleRates, rateRange: rateRange,
      formats: formats,
      periods: periods, latencyFrames: usual?.bufferFrames, usual: usual)
  }
}
