// The MIDI synth: sixteen parts that play the sound bank which a host sets.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK

/// As the DLS synth, but silent until it has a bank; all programs are loaded with it.
struct MIDISynth: InstrumentUnit, ~Copyable {
  typealias Parameters = BankParameters
  typealias State = BankModel

  static let component = Component(
    "Auricle: MIDI Synth", subtype: "msyn", manufacturer: "appl",
    summary: "Plays a sound bank (SoundFont, DLS) that is set on sixteen channels.",
    tags: ["Synthesizer", "MIDI"])
  static let channels: [ChannelRule] = [.exactly(0, 2), .exactly(0, 1)]
  static var properties: [CustomProperty<Self>] {
    BankAccess.properties(of: Self.self) { $0.state.bank } + [
      .bytes(
        kAUMIDISynthProperty_EnablePreload,
        get: { [UInt32($0.state.preloads ? 1 : 0)].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          var state = access.state
          state.preloads = try BankAccess.isOn(bytes, "EnablePreload")
          try access.setState(state)
        })
    ]
  }
  static func arrange(_ definition: inout UnitDefinition) {}

  private let parameters: Parameters
  private var player: BankPlayer

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    let player = try BankPlayer(
      setup.state.bank, (setup.sampleRate, setup.maximumFrames),
      hasReverb: setup.state.hasReverb, ignoresPrograms: setup.state.preloads)
    parameters = setup.parameters
    self.player = player
  }

  mutating func reset() { player.restart() }

  @_noLocks mutating func process(_ slice: RenderSlice) { player.process(slice, parameters) }

  var latencyFrames: Int { player.latencyFrames }
  var tailSeconds: Double { 10 }
}

/// Makes one MIDI synth; the factory function of the component. Context: control.
@c(AuricleMIDISynthFactory)
public func midiSynthFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(MIDISynth.self, request) { unsafe render(MIDISynth.self, $0, $1) }
}
