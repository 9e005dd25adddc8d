// Negotiating with an ALSA PCM, in the order that works on cards and on the plug-ins of sound servers.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CALSA
import Glibc

extension ALSAPort {
  /// Sets access, format, channels, rate, period, then buffer; the result is read back.
  package func configure(_ request: PCMRequest) throws(AuricleError) -> PCMConfiguration {
    guard let pcm = unsafe pcm else {
      throw ALSAFailure.opening(name, direction, -ENODEV)
    }
    var made: OpaquePointer?
    guard unsafe snd_pcm_hw_params_malloc(&made) == 0, let hardware = unsafe made else {
      throw AuricleError(.temporary, "there is no memory left for \(name)")
    }
    defer { unsafe snd_pcm_hw_params_free(hardware) }
    let status = unsafe snd_pcm_hw_params_any(pcm, hardware)
    guard status >= 0 else { throw ALSAFailure.opening(name, direction, status) }
    let isPlanar = try unsafe chooseAccess(pcm, hardware)
    let format = try unsafe chooseFormat(pcm, hardware, request)
    let channels = try unsafe chooseChannels(pcm, hardware, request)
    // The device's own rates first; where a plug-in is to convert, it may.
    unsafe _ = snd_pcm_hw_params_set_rate_resample(pcm, hardware, 1)
    var rate = UInt32(clamping: Int(request.sampleRate.rounded()))
    let answer = unsafe snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, nil)
    guard answer >= 0 else {
      throw ALSAFailure.refusal(
        name, "\(Int(request.sampleRate)) Hz", "choose another with --sample-rate")
    }
    var period = snd_pcm_uframes_t(max(1, request.periodFrames))
    guard unsafe snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil) >= 0 else {
      throw ALSAFailure.refusal(
        name, "periods of \(request.periodFrames) frames", "choose another number")
    }
    var buffer = period * snd_pcm_uframes_t(max(2, request.periodCount))
    guard unsafe snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer) >= 0 else {
      throw ALSAFailure.refusal(
        name, "\(request.periodCount) periods of \(period) frames", "choose another number")
    }
    let set = unsafe snd_pcm_hw_params(pcm, hardware)
    guard set >= 0 else {
      throw AuricleError(
        set == -EBUSY ? .temporary : .unavailable,
        "\(name) cannot be set to \(format.rawValue), \(channels) channels, \(rate) Hz: "
          + ALSAFailure.text(set), cause: .errno(-set))
    }
    unsafe _ = snd_pcm_hw_params_get_period_size(hardware, &period, nil)
    unsafe _ = snd_pcm_hw_params_get_buffer_size(hardware, &buffer)
    unsafe _ = snd_pcm_hw_params_get_rate(hardware, &rate, nil)
    if buffer > 4 * snd_pcm_uframes_t(request.periodFrames * max(2, request.periodCount)),
      Double(buffer) > 2 * Double(rate)
    {
      throw AuricleError(
        .badData,
        "\(name) would hold back \(buffer) frames, more than two seconds: choose another device")
    }
    try unsafe chooseSoftware(pcm, period, buffer)
    let result = PCMConfiguration(
      format: format, isPlanar: isPlanar, channelCount: channels, sampleRate: Double(rate),
      periodFrames: Int(period), bufferFrames: Int(buffer),
      isBatch: unsafe snd_pcm_hw_params_is_batch(hardware) != 0)
    configuration = result
    return result
  }

  /// Chooses an access: mapped or not, interleaved or planar.
  private func chooseAccess(
    _ pcm: OpaquePointer, _ hardware: OpaquePointer
  ) throws(AuricleError) -> Bool {
    let all: [(snd_pcm_access_t, mapped: Bool, planar: Bool)] = [
      (SND_PCM_ACCESS_MMAP_INTERLEAVED, true, false), (SND_PCM_ACCESS_RW_INTERLEAVED, false, false),
      (SND_PCM_ACCESS_MMAP_NONINTERLEAVED, true, true),
      (SND_PCM_ACCESS_RW_NONINTERLEAVED, false, true),
    ]
    for access in all where unsafe snd_pcm_hw_params_set_access(pcm, hardware, access.0) >= 0 {
      usesMemoryMap = access.mapped
      return access.planar
    }
    throw ALSAFailure.refusal(name, "any usual access", "choose another device")
  }

  private func chooseFormat(
    _ pcm: OpaquePointer, _ hardware: OpaquePointer, _ request: PCMRequest
  ) throws(AuricleError) -> PCMFormat {
    for format in request.format.map({ [$0] }) ?? PCMFormat.preferred
    where unsafe snd_pcm_hw_params_set_format(pcm, hardware, format.code) >= 0 {
      return format
    }
    let offered = PCMFormat.preferred.filter {
      unsafe snd_pcm_hw_params_test_format(pcm, hardware, $0.code) == 0
    }
    throw ALSAFailure.refusal(
      name, request.format?.rawValue ?? "any format that Auricle knows",
      offered.isEmpty
        ? "choose another device" : "it takes \(offered.map(\.rawValue).joined(separator: ", "))")
  }

  private func chooseChannels(
    _ pcm: OpaquePointer, _ hardware: OpaquePointer, _ request: PCMRequest
  ) throws(AuricleError) -> Int {
    var least: UInt32 = 0
    var most: UInt32 = 0
    unsafe _ = snd_pcm_hw_params_get_channels_min(hardware, &least)
    unsafe _ = snd_pcm_hw_params_get_channels_max(hardware, &most)
    // Plug-ins of servers accept any number; a card has a fixed set.
    var wanted = UInt32(
      request.channelCount ?? Int(most > 64 ? max(2, least) : min(most, max(2, least))))
    if request.channelCount == nil {
      guard unsafe snd_pcm_hw_params_set_channels_near(pcm, hardware, &wanted) >= 0 else {
        throw ALSAFailure.refusal(name, "\(wanted) channels", "choose another device")
      }
      return Int(wanted)
    }
    guard unsafe snd_pcm_hw_params_set_channels(pcm, hardware, wanted) >= 0 else {
      let nearest = min(max(wanted, least), most)
      throw ALSAFailure.refusal(
        name, "\(wanted) channels",
        least == most
          ? "it has \(least)" : "it takes \(least) to \(most); the nearest is \(nearest)")
    }
    return Int(wanted)
  }

  /// Wakes each period, starts by hand, stops when it runs dry, stamps with the monotonic clock.
  private func chooseSoftware(
    _ pcm: OpaquePointer, _ period: snd_pcm_uframes_t, _ buffer: snd_pcm_uframes_t
  ) throws(AuricleError) {
    var made: OpaquePointer?
    guard unsafe snd_pcm_sw_params_malloc(&made) == 0, let software = unsafe made else {
      throw AuricleError(.temporary, "there is no memory left for \(name)")
    }
    defer { unsafe snd_pcm_sw_params_free(software) }
    unsafe _ = snd_pcm_sw_params_current(pcm, software)
    var boundary: snd_pcm_uframes_t = 0
    unsafe _ = snd_pcm_sw_params_get_boundary(software, &boundary)
    unsafe _ = snd_pcm_sw_params_set_avail_min(pcm, software, period)
    unsafe _ = snd_pcm_sw_params_set_start_threshold(pcm, software, boundary)
    unsafe _ = snd_pcm_sw_params_set_stop_threshold(pcm, software, buffer)
    unsafe _ = snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
    unsafe _ = snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    let status = unsafe snd_pcm_sw_params(pcm, software)
    guard status >= 0 else {
      throw AuricleError(
        .unavailable, "\(name) cannot be set up: \(ALSAFailure.text(status))",
        cause: .errno(-status))
    }
  }
}

extension PCMFormat {
  /// The library's number of the format.
  var code: snd_pcm_format_t {
    switch self {
    case .float32Little: SND_PCM_FORMAT_FLOAT_LE
    case .signed32Little: SND_PCM_FORMAT_S32_LE
    case .packed24Little: SND_PCM_FORMAT_S24_3LE
    case .signed24Little: SND_PCM_FORMAT_S24_LE
    case .signed16Little: SND_PCM_FORMAT_S16_LE
    case .float32Big: SND_PCM_FORMAT_FLOAT_BE
    case .signed32Big: SND_PCM_FORMAT_S32_BE
    case .packed24Big: SND_PCM_FORMAT_S24_3BE
    case .signed24Big: SND_PCM_FORMAT_S24_BE
    case .signed16Big: SND_PCM_FORMAT_S16_BE
    }
  }
}
