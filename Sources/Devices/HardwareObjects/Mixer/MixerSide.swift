// One side of a card's mixer: the elements that are its volume, its switch and its source.
// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc

/// The abilities of one side of a mixer.
struct MixerSide: Sendable, Equatable {
  /// The most channels that have a volume of their own.
  static let mostChannels = 8
  /// Channels of the volume; 0 for none.
  var channelCount = 0
  /// Steps of the volume.
  var steps = 0...0
  /// Decibels at both ends; nil where the card does not report them.
  var decibels: ClosedRange<Float>?
  /// Whether it can be silenced.
  var hasSwitch = false
  /// Names of its sources; empty for none.
  var sources: [String] = []
}

/// The values of one side of a mixer.
struct MixerValues: Sendable, Equatable {
  /// Steps of each channel.
  var volumes: [Int] = []
  /// Whether it is switched on.
  var isOn = true
  /// The place of its source among all.
  var source = 0
}

/// The elements of one side, as alsa-lib's simple mixer has them. Context: under the lock of the mixer.
@safe struct MixerElements {
  private let isInput: Bool
  private var volume: OpaquePointer?
  private var toggle: OpaquePointer?
  private var source: OpaquePointer?

  /// Names of elements that act on all of a side, the best first.
  private static let outputNames = [
    "Master", "PCM", "Digital", "Speaker", "Headphone", "Line Out", "Front",
  ]
  private static let inputNames = ["Capture", "Digital", "Mic", "Line", "Input"]

  /// Finds the elements of a side.
  init(_ mixer: OpaquePointer, isInput: Bool) {
    self.isInput = isInput
    let names = isInput ? Self.inputNames : Self.outputNames
    var ranks = (volume: Int.max, toggle: Int.max)
    var next = unsafe snd_mixer_first_elem(mixer)
    while let element = unsafe next {
      unsafe next = snd_mixer_elem_next(element)
      guard unsafe snd_mixer_selem_is_active(element) != 0 else { continue }
      let name =
        unsafe snd_mixer_selem_get_name(element).map { unsafe String(cString: $0) } ?? ""
      if unsafe snd_mixer_selem_is_enumerated(element) != 0 {
        if isInput, name.hasSuffix("Source"), unsafe source == nil { unsafe source = element }
        continue
      }
      let rank = names.firstIndex(of: name) ?? names.count
      if rank < ranks.volume, unsafe Self.hasVolume(element, isInput) {
        ranks.volume = rank
        unsafe volume = element
      }
      if rank < ranks.toggle, unsafe Self.hasSwitch(element, isInput) {
        ranks.toggle = rank
        unsafe toggle = element
      }
    }
    // The switch beside the volume, where it has one.
    if let volume = unsafe volume, unsafe Self.hasSwitch(volume, isInput) {
      unsafe toggle = volume
    }
  }

  private static func hasVolume(_ element: OpaquePointer, _ isInput: Bool) -> Bool {
    unsafe isInput
      ? snd_mixer_selem_has_capture_volume(element) != 0
      : snd_mixer_selem_has_playback_volume(element) != 0
  }

  private static func hasSwitch(_ element: OpaquePointer, _ isInput: Bool) -> Bool {
    unsafe isInput
      ? snd_mixer_selem_has_capture_switch(element) != 0
      : snd_mixer_selem_has_playback_switch(element) != 0
  }

  /// The abilities of the side.
  var side: MixerSide {
    var side = MixerSide()
    side.hasSwitch = unsafe toggle != nil
    if let source = unsafe source {
      let count = max(0, unsafe snd_mixer_selem_get_enum_items(source))
      side.sources = (0..<UInt32(count)).map { unsafe Self.itemName(source, $0) }
    }
    guard let volume = unsafe volume else { return side }
    side.channelCount =
      (0..<MixerSide.mostChannels).prefix { channel in
        let channel = snd_mixer_selem_channel_id_t(rawValue: Int32(channel))
        return unsafe isInput
          ? snd_mixer_selem_has_capture_channel(volume, channel) != 0
          : snd_mixer_selem_has_playback_channel(volume, channel) != 0
      }.count
    var least = 0
    var most = 0
    unsafe _ =
      isInput
      ? snd_mixer_selem_get_capture_volume_range(volume, &least, &most)
      : snd_mixer_selem_get_playback_volume_range(volume, &least, &most)
    side.steps = least...max(least, most)
    if let low = decibels(ofStep: least), let high = decibels(ofStep: most), low < high {
      side.decibels = low...high
    }
    return side
  }

  private static func itemName(_ source: OpaquePointer, _ item: UInt32) -> String {
    var bytes = [CChar](repeating: 0, count: 64)
    unsafe _ = snd_mixer_selem_get_enum_item_name(source, item, bytes.count, &bytes)
    return String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The present values.
  func values(_ side: MixerSide) -> MixerValues {
    var values = MixerValues()
    if let volume = unsafe volume {
      values.volumes = (0..<side.channelCount).map { channel in
        var step = 0
        let channel = snd_mixer_selem_channel_id_t(rawValue: Int32(channel))
        unsafe _ =
          isInput
          ? snd_mixer_selem_get_capture_volume(volume, channel, &step)
          : snd_mixer_selem_get_playback_volume(volume, channel, &step)
        return step
      }
    }
    if let toggle = unsafe toggle {
      var isOn: Int32 = 1
      unsafe _ =
        isInput
        ? snd_mixer_selem_get_capture_switch(toggle, SND_MIXER_SCHN_FRONT_LEFT, &isOn)
        : snd_mixer_selem_get_playback_switch(toggle, SND_MIXER_SCHN_FRONT_LEFT, &isOn)
      values.isOn = isOn != 0
    }
    if let source = unsafe source {
      var item: UInt32 = 0
      unsafe _ = snd_mixer_selem_get_enum_item(source, SND_MIXER_SCHN_FRONT_LEFT, &item)
      values.source = Int(item)
    }
    return values
  }

  /// Sets the volume of a channel; a negated `errno` where the card refuses.
  func setVolume(_ step: Int, channel: Int) -> Int32 {
    guard let volume = unsafe volume else { return -ENOENT }
    let channel = snd_mixer_selem_channel_id_t(rawValue: Int32(channel))
    return unsafe isInput
      ? snd_mixer_selem_set_capture_volume(volume, channel, step)
      : snd_mixer_selem_set_playback_volume(volume, channel, step)
  }

  /// Switches all channels on or off.
  func setSwitch(_ isOn: Bool) -> Int32 {
    guard let toggle = unsafe toggle else { return -ENOENT }
    return unsafe isInput
      ? snd_mixer_selem_set_capture_switch_all(toggle, isOn ? 1 : 0)
      : snd_mixer_selem_set_playback_switch_all(toggle, isOn ? 1 : 0)
  }

  /// Chooses a source by its place.
  func setSource(_ item: Int) -> Int32 {
    guard let source = unsafe source else { return -ENOENT }
    return unsafe snd_mixer_selem_set_enum_item(
      source, SND_MIXER_SCHN_FRONT_LEFT, UInt32(clamping: item))
  }

  /// The decibels of a step; nil where the card does not report them.
  func decibels(ofStep step: Int) -> Float? {
    guard let volume = unsafe volume else { return nil }
    var hundredths = 0
    let status =
      unsafe isInput
      ? snd_mixer_selem_ask_capture_vol_dB(volume, step, &hundredths)
      : snd_mixer_selem_ask_playback_vol_dB(volume, step, &hundredths)
    // Silence, as the lowest step of some cards is, has no number.
    return status == 0 ? Float(max(hundredths, -20_000)) / 100 : nil
  }

  /// The step that is nearest to decibels from below; nil where the card does not report it.
  func step(ofDecibels decibels: Float) -> Int? {
    guard let volume = unsafe volume, !decibels.isNaN else { return nil }
    var step = 0
    let hundredths = Int((min(max(decibels, -1000), 1000) * 100).rounded())
    let status =
      unsafe isInput
      ? snd_mixer_selem_ask_capture_dB_vol(volume, hundredths, 0, &step)
      : snd_mixer_selem_ask_playback_dB_vol(volume, hundredths, 0, &step)
    return status == 0 ? step : nil
  }
}
