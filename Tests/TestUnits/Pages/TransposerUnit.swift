// A MIDI processor in a page: notes moved by so many semitones, everything else as it came.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox

struct TransposerUnit: MIDIProcessorUnit, ~Copyable {
  static let component = Component("Test: Transposer", subtype: "trns", manufacturer: "Test")

  struct Parameters: ParameterSet {
    @Parameter(1, "interval", -24...24, default: 12, unit: .semitones) var interval: Float
  }

  private let parameters: Parameters

  init(_ setup: UnitSetup<Self>) { parameters = setup.parameters }

  @_noLocks mutating func reset() {}

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let interval = Int(parameters.interval)
    for event in slice.midi {
      switch event.message {
      case .noteOn(let channel, let key, let velocity):
        slice.send(
          .noteOn(channel: channel, key: key + interval, velocity: velocity), at: event.frame)
      case .noteOff(let channel, let key, let velocity):
        slice.send(
          .noteOff(channel: channel, key: key + interval, velocity: velocity), at: event.frame)
      default: slice.send(event.message, at: event.frame)
      }
    }
  }
}

extension TestUnits {
  /// A MIDI processor that moves notes by parameter 1 (semitones).
  public static func transposer() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      TransposerUnit.self,
      makeUnit(TransposerUnit.self, nil) { unsafe render(TransposerUnit.self, $0, $1) })
  }
}
