// The sampler: one instrument, a preset of a bank or sound files, on all channels alike.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// Plays one instrument. Messages of any channel are played as on one; programs are not changed by MIDI.
struct Sampler: InstrumentUnit, ~Copyable {
  typealias State = SamplerModel

  static let component = Component(
    "Auricle: Sampler", subtype: "samp", manufacturer: "appl",
    summary: "Plays a preset of a sound bank, or WAVE files, each at its keys.",
    tags: ["Sampler", "MIDI"])

  struct Parameters: ParameterSet {
    @Parameter(900, "gain", -90...12, default: 0, unit: .decibels, smoothing: 0.02) var gain: Ramp
    @Parameter(901, "coarse tuning", -24...24, default: 0, unit: .semitones) var coarse: Float
    @Parameter(902, "fine tuning", -99...99, default: 0, unit: .cents) var fine: Float
    @Parameter(903, "pan", -1...1, default: 0, unit: .pan) var pan: Float
    @Parameter(904, "voices", 1...256, default: 256) var voices: Float
  }

  static let channels: [ChannelRule] = [.exactly(0, 2), .exactly(0, 1)]
  static func arrange(_ definition: inout UnitDefinition) {}

  static var properties: [CustomProperty<Self>] {
    let instrument = unsafe MemoryLayout<AUSamplerInstrumentData>.size
    let list = unsafe MemoryLayout<CFArrayRef?>.size
    return [
      .written(kAUSamplerProperty_LoadInstrument, size: instrument) {
        (access, bytes) throws(UnitRefusal) in try load(source(bytes), access)
      },
      .written(
        kAUSamplerProperty_LoadPresetFromBank,
        size: unsafe MemoryLayout<AUSamplerBankPresetData>.size
      ) {
        (access, bytes) throws(UnitRefusal) in try load(preset(bytes), access)
      },
      .text(
        kAuricleProperty_LoadNotes, get: { $0.state.zones?.notes.joined(separator: "\n") ?? "" }),
      .written(kAUSamplerProperty_LoadAudioFiles, size: list) {
        (access, bytes) throws(UnitRefusal) in try load(.files(paths(bytes)), access)
      },
    ]
      + CustomProperty<Self>.settings([
        NamedSetting(
          "bank", name: "instrument", get: { path(of: $0.state.source) },
          set: { (access, path) throws(UnitRefusal) in
            let name = path.lowercased()
            if name.hasSuffix(".wav") || name.hasSuffix(".sfz") {
              return try load(.files([path]), access)
            }
            // The first preset, which of most banks is bank 0, program 0.
            let first = try SoundBank.open(path).nearest(bank: 0, program: 0)
            try load(
              .preset(path: path, bank: first?.bank ?? 0, program: first?.program ?? 0), access)
          })
      ])
  }

  private static func load(
    _ source: SamplerModel.Source, _ access: UnitAccess<Self>
  ) throws(UnitRefusal) {
    var state = access.state
    try state.load(source)
    try access.setState(state)
  }

  /// Returns the source that `LoadInstrument` names.
  private static func source(_ bytes: [UInt8]) throws(UnitRefusal) -> SamplerModel.Source {
    let data = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(as: AUSamplerInstrumentData.self)
    }
    let path = try unsafe path(UnsafeRawPointer(data.fileURL))
    let (type, msb, lsb) = unsafe (
      UInt32(data.instrumentType), UInt32(data.bankMSB), UInt32(data.bankLSB)
    )
    let program = unsafe Int(data.presetID)
    switch type {
    case UInt32(kInstrumentType_SF2Preset):
      return .preset(path: path, bank: bank(msb, lsb), program: program)
    case UInt32(kInstrumentType_Audiofile): return .files([path])
    default:
      let names = [
        UInt32(kInstrumentType_AUPreset): "presets of Apple's sampler (type 2)",
        UInt32(kInstrumentType_EXS24): "EXS24 instruments (type 4)",
      ]
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidFile,
        reason:
          "\(names[type] ?? "instruments of type \(type)") are not read: give a bank (type 1), or a sound "
          + "file or an SFZ file (type 3)"
      )
    }
  }

  /// Returns the source that `LoadPresetFromBank` names, which programs used before there was
  /// `LoadInstrument`.
  private static func preset(_ bytes: [UInt8]) throws(UnitRefusal) -> SamplerModel.Source {
    let data = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(as: AUSamplerBankPresetData.self)
    }
    let path = try unsafe path(UnsafeRawPointer(data.bankURL))
    let bank = unsafe bank(UInt32(data.bankMSB), UInt32(data.bankLSB))
    return .preset(path: path, bank: bank, program: unsafe Int(data.presetID))
  }

  /// The number of a bank, by the bytes that choose it; 128 holds drums.
  private static func bank(_ msb: UInt32, _ lsb: UInt32) -> Int {
    switch msb {
    case UInt32(kAUSampler_DefaultPercussionBankMSB): 128
    case UInt32(kAUSampler_DefaultMelodicBankMSB): Int(lsb)
    default: Int(msb)
    }
  }

  /// The files that `LoadAudioFiles` names.
  private static func paths(_ bytes: [UInt8]) throws(UnitRefusal) -> [String] {
    let array = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: CFArrayRef?.self) }
    guard let array = unsafe array else { return [] }
    var found: [String] = []
    for index in 0..<max(0, unsafe CFArrayGetCount(array)) {
      found.append(try unsafe path(CFArrayGetValueAtIndex(array, index)))
    }
    return found
  }

  private static func path(_ url: UnsafeRawPointer?) throws(UnitRefusal) -> String {
    guard let url = unsafe url, let path = unsafe filePath(of: CFURLRef(url)) else {
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidPropertyValue,
        reason: "the URL of the instrument names no file")
    }
    return path
  }

  private static func path(of source: SamplerModel.Source) -> String? {
    switch source {
    case .sine: nil
    case .preset(let path, _, _): path
    case .files(let paths): paths.first
    case .regions(let regions): regions.first?["sample"]
    }
  }

  private let parameters: Parameters
  /// The player of banks and that of sounds; one of them has nothing to play.
  private var player: BankPlayer
  private var zones: ZonePlayer
  private let playsZones: Bool

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    let format = (setup.sampleRate, setup.maximumFrames)
    let player = try BankPlayer(
      setup.state.bank, format, hasReverb: false, ignoresPrograms: true, only: setup.state.number)
    let sounds = setup.state.sounds
    parameters = setup.parameters
    playsZones = sounds != nil
    zones = ZonePlayer(sounds, format)
    self.player = player
  }

  mutating func reset() {
    player.restart()
    zones.restart()
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    if playsZones {
      zones.voiceLimit = Int(parameters.voices)
      zones.tuning = parameters.coarse * 100 + parameters.fine
      zones.pan = parameters.pan
      return zones.process(slice, volume: parameters.gain)
    }
    player.voiceLimit = Int(parameters.voices)
    player.setTuning(parameters.coarse * 100 + parameters.fine)
    player.setPan(parameters.pan)
    player.process(slice, volume: parameters.gain)
  }

  var latencyFrames: Int { playsZones ? 0 : player.latencyFrames }
  var tailSeconds: Double { 10 }
}

/// Makes one sampler; the factory function of the component. Context: control.
@c(AuricleSamplerFactory)
public func samplerFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(Sampler.self, request) { unsafe render(Sampler.self, $0, $1) }
}
