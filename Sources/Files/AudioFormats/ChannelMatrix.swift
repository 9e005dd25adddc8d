// From one layout to another: which channel goes where, and how loud (ITU-R BS.775).
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Maps and mixes between layouts.
package enum ChannelMatrix {
  /// The input channel of the same label for each output channel, or −1; nil where channels are unknown.
  package static func map(from input: ChannelLayout, to output: ChannelLayout) -> [Int32]? {
    guard let inputs = input.labels, let outputs = output.labels else { return nil }
    return outputs.map { wanted in
      Int32(inputs.firstIndex { plain($0) == plain(wanted) } ?? -1)
    }
  }

  /// The gain of each input (rows) in each output; nil where channels are unknown.
  ///
  /// A channel that the output has keeps its loudspeaker. Others are played by the nearest ones, at
  /// the levels of ITU-R BS.775; low frequencies (LFE) without a loudspeaker of their kind are left
  /// out. The sum is not made softer: it may exceed full scale.
  package static func mix(from input: ChannelLayout, to output: ChannelLayout) -> [[Float]]? {
    guard let inputs = input.labels, let outputs = output.labels else { return nil }
    let targets = outputs.map(plain)
    return inputs.map { label in
      var row = [Float](repeating: 0, count: targets.count)
      for (target, gain) in ways(plain(label), among: targets) {
        if let place = targets.firstIndex(of: target) { row[place] += gain }
      }
      return row
    }
  }

  /// Returns the targets of a channel's sound.
  private static func ways(
    _ label: AudioChannelLabel, among targets: [AudioChannelLabel]
  ) -> [(AudioChannelLabel, Float)] {
    if targets.contains(label) { return [(label, 1)] }
    let choices = substitutes[label] ?? []
    return choices.first { $0.targets.allSatisfy(targets.contains) }
      .map { choice in choice.targets.map { ($0, choice.gain) } } ?? []
  }

  /// Returns one label for all that mean the same loudspeaker.
  private static func plain(_ label: AudioChannelLabel) -> AudioChannelLabel {
    switch label {
    case kAudioChannelLabel_Mono: kAudioChannelLabel_Center
    case kAudioChannelLabel_LeftTotal, kAudioChannelLabel_HeadphonesLeft,
      kAudioChannelLabel_BinauralLeft:
      kAudioChannelLabel_Left
    case kAudioChannelLabel_RightTotal, kAudioChannelLabel_HeadphonesRight,
      kAudioChannelLabel_BinauralRight:
      kAudioChannelLabel_Right
    default: label
    }
  }

  private struct Choice {
    let targets: [AudioChannelLabel]
    let gain: Float
  }

  /// The substitutes of a loudspeaker that is not there: the first choice that is all there.
  private static let substitutes: [AudioChannelLabel: [Choice]] = {
    var table: [AudioChannelLabel: [Choice]] = [:]
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: ":")
      guard parts.count == 2, let label = ChannelRole.label(named: String(parts[0])) else {
        continue
      }
      table[label] = parts[1].split(separator: "|").map { choice in
        let words = choice.split(separator: " ")
        let gains: [Substring: Float] = ["full": 1, "-3dB": 0.707_106_77, "-6dB": 0.5]
        return Choice(
          targets: words.dropLast().compactMap { ChannelRole.label(named: String($0)) },
          gain: gains[words.last ?? ""] ?? 0)
      }
    }
    return table
  }()

  private static let lines = """
    C: L R -3dB
    L: C -3dB
    R: C -3dB
    Lc: L C -3dB | L full | C -3dB
    Rc: R C -3dB | R full | C -3dB
    Leos: L full | C -3dB
    Reos: R full | C -3dB
    Lw: L Lss -3dB | L full | C -3dB
    Rw: R Rss -3dB | R full | C -3dB
    Ls: Lss full | Lsd full | Rls full | Lbs full | Cs -3dB | L -3dB | C -6dB
    Rs: Rss full | Rsd full | Rrs full | Rbs full | Cs -3dB | R -3dB | C -6dB
    Lss: Lsd full | Ls full | Rls full | L -3dB | C -6dB
    Rss: Rsd full | Rs full | Rrs full | R -3dB | C -6dB
    Lsd: Lss full | Ls full | Rls full | L -3dB | C -6dB
    Rsd: Rss full | Rs full | Rrs full | R -3dB | C -6dB
    Rls: Lbs full | Ls full | Lss full | Cs -3dB | L -3dB | C -6dB
    Rrs: Rbs full | Rs full | Rss full | Cs -3dB | R -3dB | C -6dB
    Lbs: Rls full | Ls full | Lss full | Cs -3dB | L -3dB | C -6dB
    Rbs: Rrs full | Rs full | Rss full | Cs -3dB | R -3dB | C -6dB
    Cs: Rls Rrs -3dB | Lbs Rbs -3dB | Ls Rs -3dB | L R -6dB | C -3dB
    Csd: Cs full | Rls Rrs -3dB | Ls Rs -3dB | L R -6dB | C -3dB
    Vhl: Ltm full | L -3dB | C -6dB
    Vhr: Rtm full | R -3dB | C -6dB
    Vhc: Vhl Vhr -3dB | C -3dB | L R -6dB
    Ltm: Lts full | Vhl full | Ltr full | Lss -3dB | Ls -3dB | L -3dB | C -6dB
    Rtm: Rts full | Vhr full | Rtr full | Rss -3dB | Rs -3dB | R -3dB | C -6dB
    Lts: Ltm full | Ltr full | Ls -3dB | L -3dB | C -6dB
    Rts: Rtm full | Rtr full | Rs -3dB | R -3dB | C -6dB
    Ltr: Lts full | Tbl full | Ltm full | Rls -3dB | Ls -3dB | L -6dB | C -6dB
    Rtr: Rts full | Tbr full | Rtm full | Rrs -3dB | Rs -3dB | R -6dB | C -6dB
    Tbl: Ltr full | Lts full | Ltm full | Rls -3dB | Ls -3dB | L -6dB | C -6dB
    Tbr: Rtr full | Rts full | Rtm full | Rrs -3dB | Rs -3dB | R -6dB | C -6dB
    Ctr: Ltr Rtr -3dB | Tbl Tbr -3dB | Cs -3dB | Ls Rs -6dB | L R -6dB | C -6dB
    Tbc: Ltr Rtr -3dB | Tbl Tbr -3dB | Cs -3dB | Ls Rs -6dB | L R -6dB | C -6dB
    Ts: Ltm Rtm -3dB | Ls Rs -6dB | L R -6dB | C -6dB
    Lb: L full | C -3dB
    Rb: R full | C -3dB
    Cb: C full | L R -3dB
    LFE2: LFE full
    LFE3: LFE full
    """
}
