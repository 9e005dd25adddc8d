// Maps port groups to channel layouts in Core Audio's order.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

/// The layouts of the port-groups vocabulary, with their channels in Core Audio's order.
package enum LV2ChannelLayout {
  private struct Known {
    var group: String
    var tag: UInt32
    var channels: [String]
  }

  private static let known = [
    Known(group: "MonoGroup", tag: kAudioChannelLayoutTag_Mono, channels: ["center"]),
    Known(group: "StereoGroup", tag: kAudioChannelLayoutTag_Stereo, channels: ["left", "right"]),
    Known(
      group: "MidSideGroup", tag: kAudioChannelLayoutTag_MidSide, channels: ["center", "side"]),
    Known(
      group: "ThreePointZeroGroup", tag: kAudioChannelLayoutTag_ITU_2_1,
      channels: ["left", "right", "rearCenter"]),
    Known(
      group: "FourPointZeroGroup", tag: kAudioChannelLayoutTag_MPEG_4_0_A,
      channels: ["left", "right", "center", "rearCenter"]),
    Known(
      group: "FivePointZeroGroup", tag: kAudioChannelLayoutTag_MPEG_5_0_A,
      channels: ["left", "right", "center", "rearLeft", "rearRight"]),
    Known(
      group: "FivePointOneGroup", tag: kAudioChannelLayoutTag_MPEG_5_1_A,
      channels: ["left", "right", "center", "lowFrequencyEffects", "rearLeft", "rearRight"]),
    Known(
      group: "SixPointOneGroup", tag: kAudioChannelLayoutTag_MPEG_6_1_A,
      channels: [
        "left", "right", "center", "lowFrequencyEffects", "sideLeft", "sideRight", "rearCenter",
      ]),
    Known(
      group: "SevenPointOneGroup", tag: kAudioChannelLayoutTag_MPEG_7_1_C,
      channels: [
        "left", "right", "center", "lowFrequencyEffects", "sideLeft", "sideRight", "rearLeft",
        "rearRight",
      ]),
    Known(
      group: "SevenPointOneWideGroup", tag: kAudioChannelLayoutTag_MPEG_7_1_A,
      channels: [
        "left", "right", "center", "lowFrequencyEffects", "rearLeft", "rearRight", "centerLeft",
        "centerRight",
      ]),
  ]

  /// The layout tag of a bus and its ports in the order of the layout.
  ///
  /// Ports whose designations do not make up a layout stay as they are.
  static func arrange(_ ports: [LV2Port], _ group: LV2PortGroup?) -> (tag: UInt32, ports: [Int]) {
    let indexes = ports.map(\.index)
    let names = ports.map { port -> String in
      guard let uri = port.designation, uri.hasPrefix(LV2Names.portGroups) else { return "" }
      return String(uri.dropFirst(LV2Names.portGroups.count))
    }
    // The rear channels have either name if there are no side channels.
    let backNames = ["sideLeft": "rearLeft", "sideRight": "rearRight"]
    let otherNames = names.contains("rearLeft") ? names : names.map { backNames[$0] ?? $0 }
    func order(_ channels: [String]) -> [Int]? {
      let names = Set(channels) == Set(names) ? names : otherNames
      guard channels.count == names.count, Set(channels) == Set(names) else { return nil }
      return channels.compactMap { name in names.firstIndex(of: name).map { indexes[$0] } }
    }
    let classes = Set(group?.classes ?? [])
    let declared = known.first { classes.contains(LV2Names.portGroups + $0.group) }
    if let declared, let order = order(declared.channels) { return (declared.tag, order) }
    for layout in known {
      if let order = order(layout.channels) { return (layout.tag, order) }
    }
    if let order = order((0..<ports.count).map { "ACN\($0)" }), ports.count > 1 {
      return (kAudioChannelLayoutTag_HOA_ACN_SN3D | UInt32(ports.count), order)
    }
    if let declared, declared.channels.count == ports.count { return (declared.tag, indexes) }
    switch ports.count {
    case 1: return (kAudioChannelLayoutTag_Mono, indexes)
    case 2: return (kAudioChannelLayoutTag_Stereo, indexes)
    default: return (kAudioChannelLayoutTag_DiscreteInOrder | UInt32(ports.count), indexes)
    }
  }
}
