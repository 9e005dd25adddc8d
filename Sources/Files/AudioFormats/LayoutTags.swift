// The channels of layout tags, in their order.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The meanings of the tags of layouts.
package enum LayoutTags {
  /// The labels of a tag's channels; nil for a tag without labels, or an unknown one.
  package static func labels(of tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? {
    if let known = byTag[tag] { return known.labels }
    let count = tag & 0xFFFF
    guard count > 0 else { return nil }
    switch tag & 0xFFFF_0000 {
    case kAudioChannelLayoutTag_DiscreteInOrder:
      return (0..<count).map { kAudioChannelLabel_Discrete_0 + $0 }
    case kAudioChannelLayoutTag_HOA_ACN_SN3D where isSquare(count):
      return (0..<count).map { kAudioChannelLabel_HOA_SN3D + $0 }
    case kAudioChannelLayoutTag_HOA_ACN_N3D where isSquare(count):
      return (0..<count).map { kAudioChannelLabel_HOA_N3D + $0 }
    default: return nil
    }
  }

  /// The first tag, in the order of the table, of channels like these; nil when there is none.
  package static func tag(of labels: [AudioChannelLabel]) -> AudioChannelLayoutTag? {
    if let known = table.first(where: { $0.labels == labels }) { return known.tag }
    let count = UInt32(labels.count)
    let families = [
      kAudioChannelLayoutTag_DiscreteInOrder, kAudioChannelLayoutTag_HOA_ACN_SN3D,
      kAudioChannelLayoutTag_HOA_ACN_N3D,
    ]
    guard (1...0xFFFF).contains(count) else { return nil }
    return families.lazy.map { $0 | count }.first { Self.labels(of: $0) == labels }
  }

  /// The tags for a number of channels, the usual ones first, the one without places last.
  package static func tags(channelCount: UInt32) -> [AudioChannelLayoutTag] {
    guard (1...0xFFFF).contains(channelCount) else { return [] }
    var tags = table.map(\.tag).filter { $0 & 0xFFFF == channelCount }
    if isSquare(channelCount) {
      tags.append(kAudioChannelLayoutTag_HOA_ACN_SN3D | channelCount)
      tags.append(kAudioChannelLayoutTag_HOA_ACN_N3D | channelCount)
    }
    return tags + [kAudioChannelLayoutTag_DiscreteInOrder | channelCount]
  }

  /// All tags of a fixed number of channels.
  package static var all: [AudioChannelLayoutTag] { table.map(\.tag) }

  /// The name of a tag where it is not made of numbers of channels: `Quadraphonic`.
  package static func name(of tag: AudioChannelLayoutTag) -> String? { names[tag] }

  private static func isSquare(_ count: UInt32) -> Bool {
    (1...255).contains { $0 * $0 == count }
  }

  private struct Entry {
    let tag: AudioChannelLayoutTag
    let labels: [AudioChannelLabel]
  }

  private static let byTag = Dictionary(table.map { ($0.tag, $0) }) { first, _ in first }

  /// One line a tag: its number (the channels are counted) and its channels by their short names.
  private static let table: [Entry] = lines.split(separator: "\n").map { line in
    let words = line.split(separator: " ")
    let labels = words.dropFirst().compactMap { ChannelRole.label(named: String($0)) }
    let number = UInt32(words[0]) ?? 0
    return Entry(tag: number << 16 | UInt32(labels.count), labels: labels)
  }

  private static let names: [AudioChannelLayoutTag: String] = [
    kAudioChannelLayoutTag_Mono: "Mono", kAudioChannelLayoutTag_Stereo: "Stereo",
    kAudioChannelLayoutTag_StereoHeadphones: "Stereo Headphones",
    kAudioChannelLayoutTag_MatrixStereo: "Matrix Stereo",
    kAudioChannelLayoutTag_MidSide: "Mid/Side", kAudioChannelLayoutTag_XY: "X-Y",
    kAudioChannelLayoutTag_Binaural: "Binaural",
    kAudioChannelLayoutTag_Ambisonic_B_Format: "Ambisonic B-Format",
    kAudioChannelLayoutTag_Quadraphonic: "Quadraphonic",
    kAudioChannelLayoutTag_Pentagonal: "Pentagonal",
    kAudioChannelLayoutTag_Hexagonal: "Hexagonal", kAudioChannelLayoutTag_Octagonal: "Octagonal",
    kAudioChannelLayoutTag_AAC_Octagonal: "Octagonal", kAudioChannelLayoutTag_Cube: "Cube",
    kAudioChannelLayoutTag_TMH_10_2_std: "TMH 10.2",
    kAudioChannelLayoutTag_TMH_10_2_full: "TMH 10.2 Full",
  ]

  private static let lines = """
    100 M
    101 L R
    102 HpL HpR
    103 Lt Rt
    104 Mid Side
    105 XYx XYy
    106 BinL BinR
    107 W X Y Z
    108 L R Ls Rs
    109 L R Ls Rs C
    110 L R Ls Rs C Cs
    111 L R Ls Rs C Cs Lw Rw
    112 L R Ls Rs Vhl Vhr Ltr Rtr
    113 L R C
    114 C L R
    115 L R C Cs
    116 C L R Cs
    117 L R C Ls Rs
    118 L R Ls Rs C
    119 L C R Ls Rs
    120 C L R Ls Rs
    121 L R C LFE Ls Rs
    122 L R Ls Rs C LFE
    123 L C R Ls Rs LFE
    124 C L R Ls Rs LFE
    125 L R C LFE Ls Rs Cs
    128 L R C LFE Ls Rs Rls Rrs
    126 L R C LFE Ls Rs Lc Rc
    127 C Lc Rc L R Ls Rs LFE
    129 L R Ls Rs C LFE Lc Rc
    130 L R C LFE Ls Rs Lt Rt
    131 L R Cs
    132 L R Ls Rs
    133 L R LFE
    134 L R LFE Cs
    135 L R LFE Ls Rs
    136 L R C LFE
    137 L R C LFE Cs
    138 L R Ls Rs LFE
    139 L R Ls Rs C Cs
    140 L R Ls Rs C Rls Rrs
    141 C L R Ls Rs Cs
    142 C L R Ls Rs Cs LFE
    143 C L R Ls Rs Rls Rrs
    144 C L R Ls Rs Rls Rrs Cs
    145 L R C Vhc Lsd Rsd Ls Rs Vhl Vhr Lw Rw Csd Cs LFE LFE2
    146 L R C Vhc Lsd Rsd Ls Rs Vhl Vhr Lw Rw Csd Cs LFE LFE2 Lc Rc HI Nar Hap
    148 L R Ls Rs C Lc Rc
    149 C LFE
    150 L C R
    151 L C R Cs
    152 L C R LFE
    153 L R Cs LFE
    154 L C R Cs LFE
    155 L C R Ls Rs Cs
    156 L C R Ls Rs Rls Rrs
    157 L C R Ls Rs LFE Cs
    158 L C R Ls Rs LFE Ts
    159 L C R Ls Rs LFE Vhc
    160 L C R Ls Rs LFE Rls Rrs
    161 L C R Ls Rs LFE Lc Rc
    162 L C R Ls Rs LFE Lsd Rsd
    163 L C R Ls Rs LFE Lw Rw
    164 L C R Ls Rs LFE Vhl Vhr
    165 L C R Ls Rs LFE Cs Ts
    166 L C R Ls Rs LFE Cs Vhc
    167 L C R Ls Rs LFE Ts Vhc
    168 C L R LFE
    169 C L R Cs LFE
    170 Lc Rc L R Ls Rs
    171 C L R Rls Rrs Ts
    172 C Cs L R Rls Rrs
    173 Lc Rc L R Ls Rs LFE
    174 C L R Rls Rrs Ts LFE
    175 C Cs L R Rls Rrs LFE
    176 Lc C Rc L R Ls Rs
    177 Lc C Rc L R Ls Rs LFE
    178 Lc Rc L R Ls Rs Rls Rrs
    179 Lc C Rc L R Ls Cs Rs
    180 Lc Rc L R Ls Rs Rls Rrs LFE
    181 Lc C Rc L R Ls Cs Rs LFE
    182 C L R Ls Rs LFE Cs
    183 C L R Ls Rs Rls Rrs LFE
    184 C L R Ls Rs LFE Vhl Vhr
    185 L R Rls Rrs
    186 L R C Rls Rrs
    187 L R C LFE Rls Rrs
    188 L R C LFE Cs Ls Rs
    189 L R C LFE Rls Rrs Ls Rs
    194 L R C LFE Ls Rs Ltm Rtm
    195 L R C LFE Ls Rs Vhl Vhr Ltr Rtr
    196 L R C LFE Ls Rs Rls Rrs Ltm Rtm
    192 L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr
    193 L R C LFE Ls Rs Rls Rrs Lw Rw Vhl Vhr Ltm Rtm Ltr Rtr
    197 L R Cs C
    198 L R Ls Rs Cs C
    199 L R Ls Rs Cs C LFE
    200 L C R Ls Cs Rs LFE
    201 L R Ls Rs Rls Rrs C LFE
    202 L R Rls Rrs Ls Rs C LFE Vhl Vhr Ltr Rtr
    203 L R Rls Rrs Ls Rs C LFE Vhl Vhr Ltm Rtm Ltr Rtr
    204 Lc Rc C LFE2 Rls Rrs L R Cs LFE3 Lss Rss Vhl Vhr Vhc Ts Ltr Rtr Ltm Rtm Ctr Cb Lb Rb
    205 L R C LFE Ls Rs Vhl Vhr
    207 L R C LFE Ls Rs Vhl Vhr Lts Rts
    208 L R C LFE Ls Rs Vhl Vhr Vhc Lts Rts Ts
    209 L R C LFE Ls Rs Lbs Rbs Vhl Vhr Vhc Lts Rts Ts
    210 L R C LFE Rls Rrs Lss Rss Vhl Vhr Ltr Rtr
    211 L R C LFE Rls Rrs Lss Rss Vhl Vhr Ltr Rtr Leos Reos
    212 L C R Rls Rrs
    213 L C R Rls Rrs LFE
    214 L C R Ls Rs Cs LFE
    215 L C R Ls Rs Rls Rrs LFE
    """
}
