// The DLS synth: sixteen parts that play the sound bank of the system, or one that is chosen.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK

/// General MIDI, GS and XG on a SoundFont or DLS bank, by FluidSynth.
struct DLSSynth: InstrumentUnit, ~Copyable {
  typealias Parameters = BankParameters
  typealias State = BankModel

  static let component = Component(
    "Auricle: Sound Bank Synth", subtype: "dls ", manufacturer: "appl",
    summary:
      "Plays a sound bank (SoundFont, DLS) on sixteen channels: that of the system, or another.",
    tags: ["Synthesizer", "MIDI"])
  static let channels: [ChannelRule] = [.exactly(0, 2), .exactly(0, 1)]
  static var properties: [CustomProperty<Self>] {
    BankAccess.properties(of: Self.self) { $0.state.bank ?? (try? SoundBank.standard()) }
  }
  static func arrange(_ definition: inout UnitDefinition) {}

  private let parameters: Parameters
  private var player: BankPlayer

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    let bank = if let chosen = setup.state.bank { chosen } else { try SoundBank.standard() }
    let player = try BankPlayer(
      bank, (setup.sampleRate, setup.maximumFrames), hasReverb: setup.state.hasReverb,
      ignoresPrograms: false)
    parameters = setup.parameters
    self.player = player
  }

  mutating func reset() { player.restart() }

  @_noLocks mutating func process(_ slice: RenderSlice) { player.process(slice, parameters) }

  var latencyFrames: Int { player.latencyFrames }
  var tailSeconds: Double { 10 }
}

/// Makes one DLS synth; the factory function of the component. Context: control.
@c(AuricleDLSSynthFactory)
public func dlsSynthFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(DLSSynth.self, request) { unsafe render(DLSSynth.self, $0, $1) }
}
