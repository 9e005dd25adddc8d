// The known devices: cards and PCMs of ALSA, and the one that the environment names.
// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc

/// One device as it is listed; nothing was opened for it.
package struct DeviceListing: Sendable, Equatable {
  /// The name that opens it.
  package var name: String
  /// The name for people.
  package var title: String
  /// Whether it plays.
  package var hasOutput: Bool
  /// Whether it records.
  package var hasInput: Bool
  /// The kind: `card`, `pcm` of alsa-lib, `file`, `network`, or `aggregate`.
  package var kind: String
  /// Whether it reaches a sound server, which may run or not.
  package var needsServer = false
  /// Whether it is used where none is named.
  package var isDefault: Bool
  /// The program that holds it, with its number; nil for none, or where that is unknown.
  package var holder: String?

  /// Makes a listing of a device's facts.
  package init(
    name: String, title: String, hasOutput: Bool, hasInput: Bool, kind: String,
    isDefault: Bool = false, holder: String? = nil
  ) {
    self.name = name
    self.title = title
    self.hasOutput = hasOutput
    self.hasInput = hasInput
    self.kind = kind
    self.isDefault = isDefault
    self.holder = holder
  }

  /// Returns its sides among the wanted ones.
  package func sides(of wanted: DeviceSides) -> DeviceSides {
    var sides = wanted
    if !hasInput { sides.remove(.input) }
    if !hasOutput { sides.remove(.output) }
    return sides
  }

  /// The device that is used where none is named: AURICLE_DEVICE, or ALSA's `default`.
  ///
  /// Context: any.
  package static var defaultName: String {
    guard let value = unsafe getenv("AURICLE_DEVICE") else { return "default" }
    let text = unsafe String(cString: value)
    return text.isEmpty ? "default" : text
  }

  /// All devices: the one of the environment, cards, then PCMs.
  ///
  /// Context: control.
  package static func all() -> [DeviceListing] {
    ALSALibrary.locked {
      // An earlier configuration may be out of date.
      _ = snd_config_update_free_global()
      var found = ofCards() + ofHints()
      let name = defaultName
      if let index = found.firstIndex(where: { $0.name == name }) {
        found[index].isDefault = true
      } else if name != "default" {
        found.insert(named(name), at: 0)
      }
      return found
    }
  }

  /// A device that is in no list.
  private static func named(_ name: String) -> DeviceListing {
    var listing = DeviceListing(
      name: name, title: name, hasOutput: true, hasInput: true, kind: "pcm", isDefault: true)
    // A name without meaning is listed as it is.
    if let device = try? DeviceKinds.device(named: name) {
      (listing.kind, listing.title) = (device.kind, device.title)
      listing.hasOutput = device.sides.contains(.output)
      listing.hasInput = device.sides.contains(.input)
    }
    return listing
  }

  /// The devices of the cards, both directions of one in one.
  private static func ofCards() -> [DeviceListing] {
    var found: [DeviceListing] = []
    var card: Int32 = -1
    while unsafe snd_card_next(&card) == 0, card >= 0 {
      var opened: OpaquePointer?
      guard unsafe snd_ctl_open(&opened, "hw:\(card)", 0) == 0, let control = unsafe opened else {
        continue
      }
      defer { unsafe _ = snd_ctl_close(control) }
      var info: OpaquePointer?
      guard unsafe snd_ctl_card_info_malloc(&info) == 0, let info = unsafe info else { continue }
      defer { unsafe snd_ctl_card_info_free(info) }
      guard unsafe snd_ctl_card_info(control, info) == 0 else { continue }
      let identity = unsafe text(snd_ctl_card_info_get_id(info))
      let title = unsafe text(snd_ctl_card_info_get_name(info))
      var device: Int32 = -1
      while unsafe snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
        if let entry = unsafe entry(control, card, identity, title, device) { found.append(entry) }
      }
    }
    return found
  }

  private static func entry(
    _ control: OpaquePointer, _ card: Int32, _ identity: String, _ title: String, _ device: Int32
  ) -> DeviceListing? {
    var made: OpaquePointer?
    guard unsafe snd_pcm_info_malloc(&made) == 0, let info = unsafe made else { return nil }
    defer { unsafe snd_pcm_info_free(info) }
    unsafe snd_pcm_info_set_device(info, UInt32(device))
    unsafe snd_pcm_info_set_subdevice(info, 0)
    unsafe snd_pcm_info_set_stream(info, SND_PCM_STREAM_PLAYBACK)
    let plays = unsafe snd_ctl_pcm_info(control, info) == 0
    var name = plays ? unsafe text(snd_pcm_info_get_name(info)) : ""
    unsafe snd_pcm_info_set_stream(info, SND_PCM_STREAM_CAPTURE)
    let records = unsafe snd_ctl_pcm_info(control, info) == 0
    if !plays { name = unsafe text(snd_pcm_info_get_name(info)) }
    guard plays || records else { return nil }
    return DeviceListing(
      name: "hw:CARD=\(identity),DEV=\(device)", title: name.isEmpty ? title : "\(title), \(name)",
      hasOutput: plays, hasInput: records, kind: "card", holder: holder(card, device))
  }

  /// The program that has a device open, by the kernel's list.
  private static func holder(_ card: Int32, _ device: Int32) -> String? {
    for side in ["p", "c"] {
      let path = "/proc/asound/card\(card)/pcm\(device)\(side)/sub0/status"
      guard let text = contents(path),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("owner_pid") }),
        let number = line.split(separator: ":").last.flatMap({
          Int($0.drop { $0 == " " }.prefix { $0.isNumber })
        })
      else { continue }
      let program = contents("/proc/\(number)/comm")?.split(separator: "\n").first ?? "a program"
      return "\(program) (\(number))"
    }
    return nil
  }

  private static func contents(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[0..<count], as: UTF8.self) : nil
  }

  /// Returns the PCMs of alsa-lib's configuration, each once, without the ones for an absent card.
  private static func ofHints() -> [DeviceListing] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard unsafe snd_device_name_hint(-1, "pcm", &hints) == 0, let list = unsafe hints else {
      return []
    }
    defer { unsafe _ = snd_device_name_free_hint(list) }
    var found: [DeviceListing] = []
    var index = 0
    while let hint = unsafe list[index] {
      index += 1
      guard let name = unsafe field(hint, "NAME"), !name.hasPrefix("hw:"),
        !found.contains(where: { $0.name == name })
      else { continue }
      let definition = PCMDefinition(name)
      guard !definition.leadsNowhere else { continue }
      let title = unsafe field(hint, "DESC")?.split(separator: "\n").joined(separator: ", ") ?? name
      let side = unsafe field(hint, "IOID")
      var listing = DeviceListing(
        name: name, title: title, hasOutput: side != "Input", hasInput: side != "Output",
        kind: "pcm")
      listing.needsServer = definition.needsServer
      found.append(listing)
    }
    return found
  }

  private static func field(_ hint: UnsafeMutableRawPointer, _ name: String) -> String? {
    guard let value = unsafe snd_device_name_get_hint(hint, name) else { return nil }
    defer { unsafe free(value) }
    return unsafe String(cString: value)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }
}
