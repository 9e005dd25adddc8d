// A PCM by alsa-lib's configuration, without opening it: its card, and whether a device is behind it.
// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc

/// A PCM's definition, followed through all PCMs that it names.
struct PCMDefinition {
  /// Whether a server of JACK is behind it.
  private(set) var needsJACK = false
  /// Whether a sound server is behind it, which may run or not.
  private(set) var needsServer = false
  /// Names of the server in the definitions of PipeWire's PCMs; nil without such a PCM.
  private(set) var pipeWireNames: [String]?
  /// Whether the configuration has the name.
  private(set) var isKnown = false
  /// Whether it names nothing that is defined, or a card or a device file that is not there.
  private(set) var leadsNowhere = false

  /// Definitions that name each other go round; no real one is as deep.
  private static let deepest = 8

  /// Reads the definition of a name. Context: control.
  init(_ name: String) {
    var found: OpaquePointer?
    guard unsafe snd_config_update_ref(&found) >= 0, let top = unsafe found else { return }
    defer { unsafe snd_config_unref(top) }
    leadsNowhere = unsafe !follow(name, of: "pcm", in: top, depth: 0)
  }

  /// Follows a name to the PCM behind it; false where it leads nowhere.
  private mutating func follow(
    _ name: String, of group: String, in top: OpaquePointer, depth: Int
  ) -> Bool {
    guard depth < Self.deepest else { return true }
    var found: OpaquePointer?
    guard unsafe snd_config_search_definition(top, group, name, &found) >= 0,
      let definition = unsafe found
    else { return false }
    defer { unsafe _ = snd_config_delete(definition) }
    isKnown = true
    return unsafe read(definition, in: top, depth: depth + 1)
  }

  /// Reads an entry with all in it; false where it leads nowhere.
  private mutating func read(_ entry: OpaquePointer, in top: OpaquePointer, depth: Int) -> Bool {
    guard unsafe snd_config_get_type(entry) == SND_CONFIG_TYPE_COMPOUND else {
      guard let value = unsafe Self.text(of: entry) else { return true }
      switch unsafe Self.key(of: entry) {
      case "pcm": return unsafe follow(value, of: "pcm", in: top, depth: depth)
      case "slave": return unsafe follow(value, of: "pcm_slave", in: top, depth: depth)
      default: return true
      }
    }
    var leads = true
    var values: [String: String] = [:]
    var place = unsafe snd_config_iterator_first(entry)
    while unsafe place != snd_config_iterator_end(entry) {
      guard let part = unsafe snd_config_iterator_entry(place) else { break }
      let key = unsafe Self.key(of: part)
      // One of two directions may lead nowhere, and the other be of use.
      let isSide = key == "playback" || key == "capture"
      if unsafe !read(part, in: top, depth: depth), !isSide { leads = false }
      values[key] = unsafe Self.text(of: part)
      unsafe place = snd_config_iterator_next(place)
    }
    switch values["type"] {
    case "jack": (needsJACK, needsServer) = (true, true)
    case "pulse": needsServer = true
    case "pipewire":
      needsServer = true
      pipeWireNames = (pipeWireNames ?? []) + [values["server"]].compactMap(\.self)
    case "oss": leads = unsafe leads && access(values["device"] ?? "/dev/dsp", F_OK) == 0
    case "hw":
      if let card = values["card"] { leads = unsafe leads && snd_card_get_index(card) >= 0 }
    default: break
    }
    return leads
  }

  private static func key(of entry: OpaquePointer) -> String {
    var key: UnsafePointer<CChar>?
    guard unsafe snd_config_get_id(entry, &key) >= 0, let key = unsafe key else { return "" }
    return unsafe String(cString: key)
  }

  /// A value that is no compound, as text.
  private static func text(of entry: OpaquePointer) -> String? {
    var copy: UnsafeMutablePointer<CChar>?
    guard unsafe snd_config_get_ascii(entry, &copy) >= 0, let copy = unsafe copy else { return nil }
    defer { unsafe free(copy) }
    return unsafe String(cString: copy)
  }
}
