// The model of a unit that plays banks: the chosen bank, and its reverb switch.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The parameters of units that play banks, with the numbers of Core Audio's.
struct BankParameters: ParameterSet {
  @Parameter(0, "tuning", -1200...1200, default: 0, unit: .cents) var tuning: Float
  @Parameter(1, "volume", -120...40, default: 0, unit: .decibels, smoothing: 0.02) var volume: Ramp
  @Parameter(2, "reverb volume", -120...40, default: 0, unit: .decibels) var reverb: Float
  @Parameter(3, "voices", 1...256, default: 256) var voices: Float
}

/// The state of units that play banks.
struct BankModel: UnitModel {
  /// The bank that was chosen; nil for none.
  var bank: SoundBank?
  var hasReverb = true
  /// Whether program changes load and do no more; all is loaded.
  var preloads = false

  init() {}

  func save(to state: UnitState) {
    if let bank { state.set("bank", string: bank.path) }
    state.set("internal-reverb", integer: hasReverb ? 1 : 0)
  }

  init(restoring state: UnitState, version: Int32) throws(UnitRefusal) {
    if let path = state.string("bank") { bank = try SoundBank.open(path) }
    hasReverb = state.integer("internal-reverb") != 0
  }
}

/// The bank of a unit, and a host's access to it.
enum BankAccess {
  /// Chooses a bank.
  static func choose<Unit: AuricleUnit & ~Copyable>(
    _ path: String, _ access: UnitAccess<Unit>
  ) throws(UnitRefusal) where Unit.State == BankModel {
    var state = access.state
    state.bank = try SoundBank.open(path)
    try access.setState(state)
  }

  /// The properties of Core Audio that a unit of banks has.
  ///
  /// - Parameter played: The bank that is played.
  static func properties<Unit: AuricleUnit & ~Copyable>(
    of unit: Unit.Type, played: @escaping @Sendable (UnitAccess<Unit>) -> SoundBank?
  ) -> [CustomProperty<Unit>] where Unit.State == BankModel {
    [
      .file(
        kMusicDeviceProperty_SoundBankURL, get: { played($0)?.path },
        set: { (access, path) throws(UnitRefusal) in try choose(path, access) }),
      .written(kMusicDeviceProperty_SoundBankFSRef, size: MemoryLayout<FSRef>.size) {
        (access, bytes) throws(UnitRefusal) in
        try choose(FileReference.path(bytes), access)
      },
      .text(kMusicDeviceProperty_BankName, get: { name(played($0)) }),
      .bytes(
        kMusicDeviceProperty_InstrumentCount,
        get: { [UInt32(clamping: played($0)?.presets.count ?? 0)].bytes }),
      .numbers(kMusicDeviceProperty_InstrumentNumber) { access, index in
        guard let bank = played(access), Int(index) < bank.presets.count else { return nil }
        return bank.presets[Int(index)].number
      },
      .texts(kMusicDeviceProperty_InstrumentName) { access, number in
        played(access)?.presets.first { $0.number == number }?.name
      },
      .bytes(
        kMusicDeviceProperty_UsesInternalReverb,
        get: { [UInt32($0.state.hasReverb ? 1 : 0)].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          var state = access.state
          state.hasReverb = try isOn(bytes, "the internal reverb")
          try access.setState(state)
        }),
    ]
      + CustomProperty<Unit>.settings([
        NamedSetting(
          "bank", name: "sound bank", get: { $0.state.bank?.path },
          set: { (access, path) throws(UnitRefusal) in try choose(path, access) }),
        .toggle(
          "reverb", name: "internal reverb", initial: Unit.State().hasReverb,
          get: { $0.state.hasReverb },
          set: { (access, isOn) throws(UnitRefusal) in
            var state = access.state
            state.hasReverb = isOn
            try access.setState(state)
          }),
      ])
  }

  /// A switch as a host sets it.
  static func isOn(_ bytes: [UInt8], _ name: String) throws(UnitRefusal) -> Bool {
    guard let number = UInt32(bytes) else {
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidPropertyValue, reason: "\(name) is a UInt32, 0 or 1")
    }
    return number != 0
  }

  /// The name of the file without its ending.
  private static func name(_ bank: SoundBank?) -> String {
    let file = bank?.path.split(separator: "/").last ?? ""
    return String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
  }
}
