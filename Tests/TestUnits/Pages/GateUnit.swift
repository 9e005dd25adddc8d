// A music effect in a page: sound passes while a key is down, as loud as the key was struck.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox

struct GateUnit: MusicEffectUnit, ~Copyable {
  static let component = Component("Test: Gate", subtype: "gate", manufacturer: "Test")

  struct Parameters: ParameterSet {
    @Parameter(1, "leak", 0...1, default: 0, unit: .linearGain) var leak: Ramp
  }

  private let parameters: Parameters
  /// The key that holds the gate open, and how far.
  private var key = -1
  private var opening: Float = 0

  init(_ setup: UnitSetup<Self>) { parameters = setup.parameters }

  @_noLocks mutating func reset() {
    key = -1
    opening = 0
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    var frame = 0
    for event in slice.midi {
      pass(slice, frame..<event.frame)
      frame = event.frame
      receive(event.message)
    }
    pass(slice, frame..<slice.frameCount)
  }

  @_noLocks private mutating func receive(_ message: MIDIMessage) {
    switch message {
    case .noteOn(_, let struck, let velocity):
      key = struck
      opening = Float(velocity) / 127
    case .noteOff(_, let released, _) where released == key: reset()
    // All sound off, all notes off.
    case .controlChange(_, let controller, _) where controller == 120 || controller == 123: reset()
    default: break
    }
  }

  @_noLocks private func pass(_ slice: RenderSlice, _ frames: Range<Int>) {
    let leak = parameters.leak
    for channel in 0..<slice.channelCount {
      var samples = slice.samples(channel)
      for frame in frames { samples[frame] *= max(opening, leak[frame]) }
    }
  }
}

extension TestUnits {
  /// Makes a music effect that passes sound while a key is down; parameter 1 is the linear gain without one.
  public static func gate() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      GateUnit.self, makeUnit(GateUnit.self, nil) { unsafe render(GateUnit.self, $0, $1) })
  }
}
