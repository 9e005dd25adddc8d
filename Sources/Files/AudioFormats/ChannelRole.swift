// The roles of channels: names of labels, short and in full, and the places of their loudspeakers.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The names and the place of a channel label.
package struct ChannelRole: Sendable {
  /// The label.
  package let label: AudioChannelLabel
  /// A name of few letters: `Ls`.
  package let shortName: String
  /// A name in full: `Left Surround`.
  package let name: String
  /// Degrees from the front, positive to the right; nil where there is no place.
  package let azimuth: Double?
  /// Degrees above the ears.
  package let elevation: Double

  /// The role of a label that has a name; nil for others.
  package static func named(_ label: AudioChannelLabel) -> ChannelRole? { byLabel[label] }

  /// The label of a short name; nil for no such name.
  package static func label(named short: String) -> AudioChannelLabel? { byName[short] }

  /// The name of any label.
  package static func name(of label: AudioChannelLabel, isShort: Bool) -> String? {
    if let role = byLabel[label] { return isShort ? role.shortName : role.name }
    switch label {
    case kAudioChannelLabel_Discrete_0..<kAudioChannelLabel_HOA_ACN_0:
      return (isShort ? "D" : "Discrete ") + String(label - kAudioChannelLabel_Discrete_0)
    case kAudioChannelLabel_HOA_ACN_0..<kAudioChannelLabel_Object:
      return (isShort ? "ACN" : "Ambisonic ACN ") + String(label & 0xFFFF)
    case kAudioChannelLabel_Object..<0x5_0000:
      return (isShort ? "Obj" : "Object ") + String(label - kAudioChannelLabel_Object)
    default: return nil
    }
  }

  /// Whether a label is of a channel for low frequencies alone.
  package static func isLowFrequency(_ label: AudioChannelLabel) -> Bool {
    [kAudioChannelLabel_LFEScreen, kAudioChannelLabel_LFE2, kAudioChannelLabel_LFE3]
      .contains(label)
  }

  private static let byLabel = Dictionary(uniqueKeysWithValues: all.map { ($0.label, $0) })
  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.shortName, $0.label) })

  private init(
    _ label: AudioChannelLabel, _ shortName: String, _ name: String, _ azimuth: Double? = nil,
    _ elevation: Double = 0
  ) {
    self.label = label
    self.shortName = shortName
    self.name = name
    self.azimuth = azimuth
    self.elevation = elevation
  }

  private static let all: [ChannelRole] = [
    ChannelRole(1, "L", "Left", -30), ChannelRole(2, "R", "Right", 30),
    ChannelRole(3, "C", "Center", 0), ChannelRole(4, "LFE", "LFE Screen"),
    ChannelRole(5, "Ls", "Left Surround", -110), ChannelRole(6, "Rs", "Right Surround", 110),
    ChannelRole(7, "Lc", "Left Center", -15), ChannelRole(8, "Rc", "Right Center", 15),
    ChannelRole(9, "Cs", "Center Surround", 180),
    ChannelRole(10, "Lsd", "Left Surround Direct", -90),
    ChannelRole(11, "Rsd", "Right Surround Direct", 90),
    ChannelRole(12, "Ts", "Top Center Surround", 0, 90),
    ChannelRole(13, "Vhl", "Vertical Height Left", -30, 45),
    ChannelRole(14, "Vhc", "Vertical Height Center", 0, 45),
    ChannelRole(15, "Vhr", "Vertical Height Right", 30, 45),
    ChannelRole(16, "Tbl", "Top Back Left", -135, 45),
    ChannelRole(17, "Tbc", "Top Back Center", 180, 45),
    ChannelRole(18, "Tbr", "Top Back Right", 135, 45),
    ChannelRole(33, "Rls", "Rear Surround Left", -150),
    ChannelRole(34, "Rrs", "Rear Surround Right", 150), ChannelRole(35, "Lw", "Left Wide", -60),
    ChannelRole(36, "Rw", "Right Wide", 60), ChannelRole(37, "LFE2", "LFE 2"),
    ChannelRole(38, "Lt", "Left Total", -30), ChannelRole(39, "Rt", "Right Total", 30),
    ChannelRole(40, "HI", "Hearing Impaired"), ChannelRole(41, "Nar", "Narration"),
    ChannelRole(42, "M", "Mono", 0), ChannelRole(43, "DCM", "Dialog Centric Mix"),
    ChannelRole(44, "Csd", "Center Surround Direct", 180), ChannelRole(45, "Hap", "Haptic"),
    ChannelRole(49, "Ltm", "Left Top Middle", -90, 45),
    ChannelRole(51, "Rtm", "Right Top Middle", 90, 45),
    ChannelRole(52, "Ltr", "Left Top Rear", -135, 45),
    ChannelRole(53, "Ctr", "Center Top Rear", 180, 45),
    ChannelRole(54, "Rtr", "Right Top Rear", 135, 45),
    ChannelRole(55, "Lss", "Left Side Surround", -90),
    ChannelRole(56, "Rss", "Right Side Surround", 90),
    ChannelRole(57, "Lb", "Left Bottom", -30, -30),
    ChannelRole(58, "Rb", "Right Bottom", 30, -30),
    ChannelRole(59, "Cb", "Center Bottom", 0, -30),
    ChannelRole(60, "Lts", "Left Top Surround", -110, 45),
    ChannelRole(61, "Rts", "Right Top Surround", 110, 45), ChannelRole(62, "LFE3", "LFE 3"),
    ChannelRole(63, "Lbs", "Left Back Surround", -135),
    ChannelRole(64, "Rbs", "Right Back Surround", 135),
    ChannelRole(65, "Leos", "Left Edge of Screen", -22),
    ChannelRole(66, "Reos", "Right Edge of Screen", 22),
    ChannelRole(200, "W", "Ambisonic W"), ChannelRole(201, "X", "Ambisonic X"),
    ChannelRole(202, "Y", "Ambisonic Y"), ChannelRole(203, "Z", "Ambisonic Z"),
    ChannelRole(204, "Mid", "Mid"), ChannelRole(205, "Side", "Side"),
    ChannelRole(206, "XYx", "X-Y X"), ChannelRole(207, "XYy", "X-Y Y"),
    ChannelRole(208, "BinL", "Binaural Left"), ChannelRole(209, "BinR", "Binaural Right"),
    ChannelRole(301, "HpL", "Headphones Left"), ChannelRole(302, "HpR", "Headphones Right"),
    ChannelRole(304, "Click", "Click Track"), ChannelRole(305, "FL", "Foreign Language"),
  ]
}
