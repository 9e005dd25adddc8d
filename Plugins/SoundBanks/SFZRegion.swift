// The opcodes of one region of an SFZ file, as settings.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The opcodes of a region.
///
/// Each opcode that is read is recorded, so that the rest is known as opcodes without effect. Context:
/// control.
final class SFZRegion {
  private let opcodes: SFZText.Opcodes
  private var known: Set<String> = []
  private(set) var conditions: [ControllerCondition] = []
  /// The reason why the region cannot be played; nil for one that can.
  private(set) var omission: String?

  init(_ opcodes: SFZText.Opcodes) {
    self.opcodes = opcodes
    omission = findOmission()
  }

  /// The opcodes that nothing asked for.
  var ignored: Set<String> {
    let words = ["label", "comment", "image", "default_path", "note_offset", "octave_offset"]
    return Set(
      opcodes.keys.filter { name in
        !known.contains(name) && !name.hasPrefix("set_") && !name.hasPrefix("label_")
          && !words.contains { name.hasSuffix($0) }
      })
  }

  // MARK: Values

  private func text(_ name: String) -> String? {
    known.insert(name)
    return opcodes[name]
  }

  private func number(_ name: String) -> Double? {
    text(name).flatMap(Double.init).flatMap { $0.isFinite ? min(max($0, -1e9), 1e9) : nil }
  }

  private func float(_ name: String, _ standard: Float) -> Float {
    number(name).map { Float($0) } ?? standard
  }

  private func whole(_ name: String) -> Int? { number(name).map { Int($0) } }

  /// A key by its number or its name, of which C4 is 60; −1 for none.
  private func key(_ name: String) -> Int? {
    guard let text = text(name) else { return nil }
    let moved = (opcodes["note_offset"].flatMap(Int.init) ?? 0).clamped(-127, 127)
    let octaves = (opcodes["octave_offset"].flatMap(Int.init) ?? 0).clamped(-10, 10)
    guard let found = Int(text) ?? SampleZone.noteKey(text, middleOctave: 4) else { return nil }
    guard found >= 0 else { return -1 }
    return min(max(found.clamped(0, 127) + moved + 12 * octaves, 0), 127)
  }

  /// The two opcodes of a range.
  private func range(_ name: String, _ low: Float, _ high: Float) -> NumberRange {
    NumberRange(low: float("lo\(name)", low), high: float("hi\(name)", high))
  }

  // MARK: Opcodes that are left out

  /// Opcodes that choose when a region plays and that are not known here, with the values that choose nothing.
  private static let choices: [(name: String, values: [String])] = [
    ("lobpm", ["0"]), ("hibpm", ["500"]), ("lotimer", ["0"]), ("hitimer", []), ("lobeat", []),
    ("hibeat", []), ("sw_trans", []),
  ]

  private func findOmission() -> String? {
    guard let sample = text("sample"), !sample.isEmpty else { return "there is no sample" }
    if sample.first == "*", sample != "*sine" { return "the sound \(sample) is not made" }
    if let trigger = text("trigger"), Self.triggers[trigger] == nil {
      return "trigger=\(trigger) is not known"
    }
    for (name, values) in Self.choices {
      if let value = text(name), !values.contains(value) { return "\(name) is not known" }
    }
    for (name, value) in opcodes.sorted(by: { $0.key < $1.key }) {
      let base = name.prefix { !$0.isNumber }
      switch base {
      case "on_locc", "on_hicc", "start_locc", "start_hicc", "stop_locc", "stop_hicc", "on_lohdcc",
        "on_hihdcc":
        return "\(base)N is not known: controllers start no sound"
      case "locc", "hicc", "lohdcc", "hihdcc":
        if let reason = addCondition(name, base, value) { return reason }
      default: break
      }
    }
    if key("hikey") == -1 { return "no key plays it" }
    if whole("end") == -1 { return "end=-1 turns it off" }
    return nil
  }

  /// Adds a bound of a controller; the reason why it cannot be kept.
  private func addCondition(_ name: String, _ base: Substring, _ text: String) -> String? {
    known.insert(name)
    guard let index = Int(name.dropFirst(base.count)), let value = Float(text), value.isFinite
    else { return "\(name)=\(text) is not known" }
    let bound = base.contains("hd") ? value * 127 : value
    let isLow = base.hasPrefix("lo")
    guard isLow ? bound > 0 : bound < 127 else { return nil }
    guard (0..<128).contains(index) else { return "\(base)N is not known for controller \(index)" }
    let place = conditions.firstIndex { $0.number == index }
    var condition =
      place.map { conditions[$0] } ?? ControllerCondition(number: index, low: 0, high: 127)
    if isLow { condition.low = bound } else { condition.high = bound }
    if let place { conditions[place] = condition } else { conditions.append(condition) }
    return nil
  }

  private static let triggers: [String: RegionTrigger] = [
    "attack": .attack, "release": .release, "release_key": .releaseKey, "first": .first,
    "legato": .legato,
  ]

  // MARK: The zone

  /// The path in front of its sample.
  var path: String { opcodes["default_path"] ?? "" }
  /// Its sample.
  var sample: String { opcodes["sample"] ?? "" }

  /// The zone that it makes of a sound; nil where no key or velocity plays it.
  func zone(_ sound: SampleZone) -> SampleZone? {
    var zone = sound
    let root =
      text("pitch_keycenter") == "sample" ? sound.root : key("pitch_keycenter") ?? sound.root
    zone.root = root ?? 60
    let (low, high) = (key("lokey") ?? 0, key("hikey") ?? 127)
    zone.keys = min(low, high).clamped(0, 127)...max(low, high)
    let (soft, hard) = (whole("lovel") ?? 0, whole("hivel") ?? 127)
    zone.velocities = min(soft, hard).clamped(0, 127)...max(soft, hard).clamped(0, 127)
    var settings = RegionSettings()
    setLoop(sound, &zone, &settings)
    setLevel(&settings)
    setFades(&settings)
    setPitch(sound, &settings)
    setChoice(&settings)
    setEnvelope(&settings)
    zone.settings = settings
    return zone
  }

  private func setLoop(
    _ sound: SampleZone, _ zone: inout SampleZone, _ settings: inout RegionSettings
  ) {
    let count = sound.sound.frameCount
    let mode = text("loop_mode") ?? (sound.loop == nil ? "no_loop" : "loop_continuous")
    let start = (whole("loop_start") ?? sound.loop?.lowerBound ?? 0).clamped(0, count)
    let last = whole("loop_end") ?? (sound.loop?.upperBound ?? count) - 1
    let end = (last + 1).clamped(0, count)
    let isLooped = mode == "loop_continuous" || mode == "loop_sustain"
    zone.loop = isLooped && end - start >= 2 ? start..<end : nil
    settings.loopsWhileHeld = mode == "loop_sustain"
    settings.soundsToItsEnd = mode == "one_shot"
    settings.offset = (whole("offset") ?? 0).clamped(0, count)
    settings.offsetRandom = (whole("offset_random") ?? 0).clamped(0, count)
    settings.end = whole("end").map { ($0 + 1).clamped(0, count) }
    settings.trigger = Self.triggers[text("trigger") ?? "attack"] ?? .attack
    settings.obeysSustain = text("sustain_sw") != "off"
    // A sound that a key's end starts is ended by nothing.
    if settings.trigger == .release || settings.trigger == .releaseKey {
      settings.soundsToItsEnd = true
      zone.loop = nil
    }
  }

  private func setLevel(_ settings: inout RegionSettings) {
    var decibels = 0.0
    for name in ["volume", "global_volume", "master_volume", "group_volume"] {
      decibels += number(name) ?? 0
    }
    for name in ["amplitude", "global_amplitude", "master_amplitude", "group_amplitude"] {
      guard let part = number(name) else { continue }
      decibels += part > 0.000_1 ? 20 * RealtimeMath.log10(part / 100) : -144
    }
    settings.decibels = min(max(decibels, -200), 60)
    settings.velocityTrack = min(max(float("amp_veltrack", 100) / 100, -1), 1)
    settings.keyDecibels = float("amp_keytrack", 0)
    settings.levelCenter = key("amp_keycenter") ?? 60
    settings.randomDecibels = float("amp_random", 0)
    settings.releaseDecay = float("rt_decay", 0)
    settings.pan = min(max((number("pan") ?? 0) / 100, -1), 1)
    settings.width = min(max((number("width") ?? 100) / 100, -1), 1)
    settings.group = whole("group") ?? 0
    settings.endedBy = whole("off_by")
    settings.endsByRelease = text("off_mode") == "normal"
    settings.mostVoices = max(0, whole("polyphony") ?? 0)
  }

  private func setFades(_ settings: inout RegionSettings) {
    func fade(_ kind: String, _ curve: String, bound: (String) -> Double?) -> Crossfade {
      var made = Crossfade()
      if let low = bound("xfin_lo\(kind)") { made.inLow = Float(low) }
      if let high = bound("xfin_hi\(kind)") { made.inHigh = Float(high) }
      if let low = bound("xfout_lo\(kind)") { made.outLow = Float(low) }
      if let high = bound("xfout_hi\(kind)") { made.outHigh = Float(high) }
      // One bound alone has the other at the end of the scale.
      if made.inLow >= 0, made.inHigh < 0 { made.inHigh = 127 }
      if made.outLow < 999, made.outHigh > 999 { made.outHigh = 127 }
      if made.outHigh < 999, made.outLow > 999 { made.outLow = 0 }
      made.isPower = text("xf_\(curve)curve") != "gain"
      return made
    }
    settings.keyFade = fade("key", "key") { key($0).map { Double($0) } }
    settings.velocityFade = fade("vel", "vel") { number($0) }
    let named = opcodes.keys.filter { $0.hasPrefix("xfin_") || $0.hasPrefix("xfout_") }
    func controller(_ prefix: String) -> Int? {
      named.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.drop { !$0.isNumber }) }
        .filter { (0..<128).contains($0) }.min()
    }
    let up = controller("xfin_"), down = controller("xfout_")
    guard up != nil || down != nil else { return }
    settings.controllerFade = fade("cc", "cc") { name in
      (name.hasPrefix("xfin") ? up : down).flatMap { number("\(name)\($0)") }
    }
    settings.controllerFade.inController = up ?? -1
    settings.controllerFade.outController = down ?? -1
  }

  private func setPitch(_ sound: SampleZone, _ settings: inout RegionSettings) {
    settings.tuning = sound.cents + 100 * (number("transpose") ?? 0) + (number("tune") ?? 0)
    settings.keyCents = number("pitch_keytrack") ?? 100
    settings.velocityCents = number("pitch_veltrack") ?? 0
    settings.randomCents = number("pitch_random") ?? 0
    settings.bendUp = number("bend_up")
    settings.bendDown = number("bend_down")
  }

  private func setChoice(_ settings: inout RegionSettings) {
    settings.channels = range("chan", 1, 16)
    settings.bends = range("bend", -8192, 8192)
    settings.pressures = range("chanaft", 0, 127)
    settings.keyPressures = range("polyaft", 0, 127)
    settings.programs = range("prog", 0, 127)
    settings.random = range("rand", 0, 1)
    settings.turns = (whole("seq_length") ?? 1).clamped(1, 1000)
    settings.turn = (whole("seq_position") ?? 1).clamped(1, 1000)
    if let last = key("sw_last") {
      settings.lastSwitch = KeyRange(low: last, high: last)
    } else if let low = key("sw_lolast"), let high = key("sw_hilast") {
      settings.lastSwitch = KeyRange(low: low, high: high)
    }
    if let low = key("sw_lokey"), let high = key("sw_hikey") {
      settings.switches = KeyRange(low: low, high: high)
    }
    settings.firstSwitch = key("sw_default") ?? -1
    settings.keyDown = key("sw_down") ?? -1
    settings.keyUp = key("sw_up") ?? -1
    settings.keyBefore = key("sw_previous") ?? -1
  }

  private func setEnvelope(_ settings: inout RegionSettings) {
    func seconds(_ name: String) -> Double {
      min(max(number("ampeg_\(name)") ?? number("amp_\(name)") ?? 0, 0), 100)
    }
    settings.envelope.delay = seconds("delay") + min(max(number("delay") ?? 0, 0), 100)
    settings.envelope.attack = seconds("attack")
    settings.envelope.hold = seconds("hold")
    settings.envelope.decay = seconds("decay")
    settings.envelope.sustain = min(max((number("ampeg_sustain") ?? 100) / 100, 0), 1)
    settings.envelope.release = seconds("release")
  }
}

extension Int {
  fileprivate func clamped(_ low: Int, _ high: Int) -> Int { Swift.min(Swift.max(self, low), high) }
}
