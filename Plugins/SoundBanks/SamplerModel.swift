// A sampler's model: the loaded instrument, a preset of a bank or sound files.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The state of the sampler.
struct SamplerModel: UnitModel {
  /// The source of the instrument.
  enum Source: Sendable, Equatable {
    /// A sine, until something is loaded.
    case sine
    /// A preset of a bank; bank 128 holds drums.
    case preset(path: String, bank: Int, program: Int)
    /// Sound files.
    case files([String])
    /// Sounds with their keys, as opcodes of SFZ.
    case regions([SFZText.Opcodes])
  }

  /// The limits of a bank of sound files.
  static let (mostFiles, mostSamples) = (4096, 500_000_000)

  /// The refusal of more than that.
  static var tooMuch: UnitRefusal {
    UnitRefusal(
      status: kAudioUnitErr_InvalidFile,
      reason:
        "the sound files are too many: an instrument has \(mostFiles) at most, and \(mostSamples) samples"
    )
  }

  private(set) var source = Source.sine
  /// The loaded bank; nil for sounds.
  private(set) var bank: SoundBank?
  /// The loaded sounds; nil for a bank, and until the unit is first initialised.
  private(set) var zones: ZoneInstrument?

  init() {}

  static func readsWhole(_ state: UnitState) -> Bool { state.state("Instrument") != nil }

  func save(to state: UnitState) {
    switch source {
    case .sine: break
    case .preset(let path, let bank, let program):
      state.set("bank", string: path)
      state.set("bank-number", integer: Int32(bank))
      state.set("program", integer: Int32(program))
    case .files(let paths): state.set("files", string: paths.joined(separator: "\n"))
    case .regions(let regions):
      let lines = regions.map { opcodes in
        opcodes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
          .joined(separator: "\t")
      }
      state.set("regions", string: lines.joined(separator: "\n"))
    }
  }

  init(restoring state: UnitState, version: Int32) throws(UnitRefusal) {
    if let path = state.string("bank") {
      try load(
        .preset(
          path: path, bank: Int(state.integer("bank-number") ?? 0),
          program: Int(state.integer("program") ?? 0)))
    } else if let files = state.string("files") {
      try load(.files(files.split(separator: "\n").map(String.init)))
    } else if let regions = state.string("regions") {
      try load(.regions(regions.split(separator: "\n").map { Self.opcodes(String($0)) }))
    } else if let regions = try LayeredInstrument.regions(state) {
      try load(.regions(regions))
    }
  }

  /// The opcodes of a line of a state.
  private static func opcodes(_ line: String) -> SFZText.Opcodes {
    var opcodes: SFZText.Opcodes = [:]
    for part in line.split(separator: "\t") {
      guard let equals = part.firstIndex(of: "=") else { continue }
      opcodes[String(part[..<equals])] = String(part[part.index(after: equals)...])
    }
    return opcodes
  }

  /// Loads an instrument.
  ///
  /// - Throws: A sentence: no such file, no such preset, not a file of the kind.
  ///
  /// Context: control.
  mutating func load(_ source: Source) throws(UnitRefusal) {
    switch source {
    case .sine: (bank, zones) = (nil, nil)
    case .preset(let path, let number, let program):
      (bank, zones) = (try Self.open(path, number, program), nil)
    case .files(let paths): (bank, zones) = (nil, try Self.open(paths))
    case .regions(let regions): (bank, zones) = (nil, try Self.open(regions))
    }
    self.source = source
  }

  /// The sounds that are played, which are a sine where nothing was loaded; nil for a bank. Context: control.
  var sounds: ZoneInstrument? { bank == nil ? zones ?? Self.sine : nil }

  /// Made once, for all samplers of the process.
  private static let sine = ZoneInstrument([SampleZone.sine])

  /// The preset of the bank that is played.
  var number: (bank: Int, program: Int) {
    if case .preset(_, let bank, let program) = source { (bank, program) } else { (0, 0) }
  }

  private static func open(_ paths: [String]) throws(UnitRefusal) -> ZoneInstrument {
    var all = SFZFile.Contents()
    var left = mostSamples
    for path in paths {
      var read = SFZFile.Contents()
      if path.lowercased().hasSuffix(".sfz") {
        read = try SFZFile.read(path, room: left)
      } else {
        read.zones = [try WaveFile.read(path, room: left)]
        read.zones[0].settings.tuning = read.zones[0].cents
        read.conditions = [[]]
      }
      left -= read.zones.reduce(0) { $0 + $1.sampleCount }
      all.zones += read.zones
      all.conditions += read.conditions
      all.notes += read.notes
      all.controllers.merge(read.controllers) { $1 }
      guard left >= 0, all.zones.count <= mostFiles else { throw tooMuch }
    }
    guard !all.zones.isEmpty else {
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidPropertyValue, reason: "no sound file is named")
    }
    return ZoneInstrument(
      SampleZone.laidOut(all.zones), conditions: all.conditions, controllers: all.controllers,
      notes: all.notes)
  }

  private static func open(_ regions: [SFZText.Opcodes]) throws(UnitRefusal) -> ZoneInstrument {
    guard regions.count <= mostFiles else { throw tooMuch }
    var (zones, sounds): ([SampleZone], [String: SampleZone]) = ([], [:])
    var left = mostSamples
    for opcodes in regions {
      let region = SFZRegion(opcodes)
      let sound =
        if let known = sounds[region.sample] { known } else {
          try WaveFile.read(region.sample, room: left)
        }
      if sounds[region.sample] == nil { left -= sound.sampleCount }
      sounds[region.sample] = sound
      guard left >= 0 else { throw tooMuch }
      if let zone = region.zone(sound) { zones.append(zone) }
    }
    guard !zones.isEmpty else {
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidFile, reason: "no key plays a zone of the instrument")
    }
    return ZoneInstrument(
      SampleZone.laidOut(zones), conditions: zones.map { _ in [] }, controllers: [:], notes: [])
  }

  private static func open(
    _ path: String, _ bank: Int, _ program: Int
  ) throws(UnitRefusal) -> SoundBank {
    let found = try SoundBank.open(path)
    guard found.presets.contains(where: { $0.bank == bank && $0.program == program }) else {
      let near = found.nearest(bank: bank, program: program).map {
        ": the nearest is \($0.bank == 128 ? "drums" : "bank \($0.bank)"), program \($0.program), \($0.name)"
      }
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidPropertyValue,
        reason:
          "\(path) has no \(bank == 128 ? "drums" : "bank \(bank)"), program \(program)\(near ?? "")"
      )
    }
    return found
  }
}
