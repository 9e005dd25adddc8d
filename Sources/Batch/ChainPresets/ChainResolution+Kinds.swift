// Units that cannot process a sound file by themselves: they need notes, or have no input.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import CAudioToolbox

extension ChainPreset {
  /// Whether a unit's output replaces the sound, for each unit in the order of `units`: it is in the
  /// row of the chain, and not beside the sound in a branch.
  var isInRow: [Bool] {
    entries.flatMap { entry -> [Bool] in
      switch entry {
      case .unit: [true]
      case .parallel, .noise: entry.units.map { _ in false }
      }
    }
  }
}

extension ChainResolver {
  /// Refuses a unit in whose place in the row nothing of a sound file would be left.
  mutating func refuseDeaf(_ entry: UnitEntry, _ facts: UnitFacts, of component: AudioComponent) {
    guard facts.inputBuses.isEmpty, !entry.isBypassed, !sendsNotes else { return }
    let need: String
    switch component.description.componentType {
    case kAudioUnitType_MusicDevice:
      need =
        "an instrument and needs notes (MIDI), which sound files do not have: choose an effect, or a MIDI file for "
        + "auricle render"
    case kAudioUnitType_MIDIProcessor:
      need =
        "a MIDI processor and needs notes (MIDI), which sound files do not have: choose an effect"
    case kAudioUnitType_Generator where entry.mix >= 1 && entry.randomMix == nil:
      need =
        "a generator, whose sound would replace that of the file: put it "
        + "beside the sound, in a branch of 'parallel' or with a 'mix' below 1"
    default: return
    }
    add("\(component.name) is \(need)", at: entry.unit.position)
  }
}
