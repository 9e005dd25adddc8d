// The sound: any values of parameters, the tail, bypass, the latency, extreme input.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc

extension UnitValidation {
  /// Checks that the samples are finite numbers for any values of its parameters.
  func checkRandomValues() throws(AuricleError) {
    let parameters = settable(of: unit).filter { $0.minimum < $0.maximum }
    guard !parameters.isEmpty else { return }
    let player = ValidationPlayer(unit, .soft(request.seed))
    try player.begin()
    var random = self.random(5)
    let turns = 8 + 4 * request.level
    for turn in 0..<(parameters.prefix(50).count * 2 + turns) {
      let before = values(of: parameters)
      let text = choose(turn, parameters, &random)
      if playsNotes {
        _ = player.send(0x90, UInt32.random(in: 0..<128, using: &random), 100, at: 0)
      }
      for slice in 0..<4 {
        let made = player.slice(512)
        guard made.status != 0 || made.defect != nil else { continue }
        let seen: [UnitFault.Evidence] = [.count("turn", turn), .count("slice", slice)]
        let now = values(of: parameters)
        if try fails(parameters, at: now) {
          _ = isSound(made, .randomValues, "with \(text) it", seen)
        } else {
          let jump = try jump(parameters, from: before, to: now)
          _ = isSound(made, .jumps, "when \(jump) it", seen)
        }
        return
      }
    }
  }

  /// While many values change quickly, the samples are finite numbers.
  func checkAutomation() throws(AuricleError) {
    let parameters = settable(of: unit).filter { $0.minimum < $0.maximum }
    guard !parameters.isEmpty, !isBroken(.randomValues) else { return }
    let player = ValidationPlayer(unit, .soft(request.seed))
    try player.begin()
    startNote(player)
    var random = random(9)
    for slice in 0..<256 {
      let before = values(of: parameters)
      for _ in 0..<10 {
        guard let parameter = parameters.randomElement(using: &random) else { return }
        setAny([parameter], of: unit, &random)
      }
      let made = player.slice(32)
      guard made.status != 0 || made.defect != nil else { continue }
      let jump = try jump(parameters, from: before, to: values(of: parameters))
      _ = isSound(
        made, .automation, "while ten values change every 32 frames, when \(jump), it",
        [.count("slice", slice), .count("status", Int(made.status))])
      return
    }
  }

  private func values(of parameters: [UnitParameter]) -> [Float?] {
    parameters.map { value(of: $0, in: unit) }
  }

  /// Whether a fresh instance fails that has values from its beginning, and then some of others.
  private func fails(
    _ parameters: [UnitParameter], at values: [Float?], then later: [(Int, Float)] = []
  ) throws(AuricleError) -> Bool {
    let unit = try fresh()
    for (parameter, value) in zip(parameters, values) {
      guard let value else { continue }
      try? unit.setParameter(parameter.id, value, scope: parameter.scope)
    }
    let player = ValidationPlayer(unit, .soft(request.seed))
    try player.begin()
    startNote(player)
    for slice in 0..<16 {
      let made = player.slice(512)
      if made.status != 0 || made.defect != nil { return true }
      guard slice == 7 else { continue }
      if later.isEmpty { return false }
      for (index, value) in later {
        try? unit.setParameter(parameters[index].id, value, scope: parameters[index].scope)
      }
    }
    return false
  }

  /// The jump that does the harm alone, in words; all jumps where none does, or one alone is there.
  private func jump(
    _ parameters: [UnitParameter], from before: [Float?], to now: [Float?]
  ) throws(AuricleError) -> String {
    func words(_ index: Int) -> String {
      "\"\(parameters[index].name)\" jumps from \(before[index] ?? .nan) to \(now[index] ?? .nan)"
    }
    let jumps = parameters.indices.filter { before[$0] != now[$0] }
    for index in jumps.prefix(32) where jumps.count > 1 {
      guard let value = now[index] else { continue }
      if try fails(parameters, at: before, then: [(index, value)]) { return words(index) }
    }
    guard !jumps.isEmpty else { return "no value jumps" }
    return jumps.prefix(4).map(words).joined(separator: " and ")
      + (jumps.count > 4 ? " and \(jumps.count - 4) more jump" : "")
  }

  /// One parameter at an end of its range with all others at their defaults, then all by chance.
  private func choose(
    _ turn: Int, _ parameters: [UnitParameter], _ random: inout ValidationRandom
  ) -> String {
    let alone = parameters.prefix(50)
    guard turn < 2 * alone.count else {
      setAny(parameters, of: unit, &random)
      let values = parameters.prefix(6).map { parameter in
        "\"\(parameter.name)\" = \(self.value(of: parameter, in: unit) ?? .nan)"
      }
      return values.joined(separator: ", ") + (parameters.count > 6 ? " and more" : "")
    }
    if turn > 0 {
      let last = alone[(turn - 1) / 2]
      try? unit.setParameter(last.id, last.defaultValue, scope: last.scope)
    }
    let parameter = alone[turn / 2]
    let value = turn % 2 == 0 ? parameter.minimum : parameter.maximum
    try? unit.setParameter(parameter.id, value, scope: parameter.scope)
    return "\"\(parameter.name)\" = \(value)"
  }

  /// Checks that the unit is silent after its declared tail.
  func checkTail() throws(AuricleError) {
    guard isEffect, isFed else { return }
    let player = ValidationPlayer(unit, .burst(frames: 8192, seed: request.seed))
    try player.begin()
    guard player.sound(8192) != nil, let tail = unit.tailTime, tail.isFinite, tail <= 10 else {
      return
    }
    // A difference within a twentieth of a second is allowed.
    let reported = Int(((tail + unit.latency) * 44_100).rounded(.up))
    let wait = (reported + 2205 + 511) / 512
    var subnormal: (frame: Int, value: Float)?
    for slice in 0..<(wait + 16) {
      guard case (0, nil) = quick(player.slice(512)) else { return }
      for channel in 0..<player.channelCount {
        guard let samples = unsafe player.samples(channel) else { continue }
        for frame in 0..<512 {
          let value = unsafe samples[frame]
          if value.isSubnormal, subnormal == nil { subnormal = (slice * 512 + frame, value) }
          guard abs(value) > 1e-6, slice >= wait else { continue }
          return fault(
            .tail,
            "\(seconds(tail)) s are its tail, and \(seconds(Double(slice * 512 + frame) / 44_100)) s "
              + "after its input it is at \(value)",
            [
              UnitFault.Evidence("tail", .number(tail)), .count("channel", channel),
              .count("frame", slice * 512 + frame), .value("value", value),
            ])
        }
      }
    }
    if let subnormal {
      fault(
        .subnormal, "its tail has \(subnormal.value) at frame \(subnormal.frame)",
        [.count("frame", subnormal.frame), .value("value", subnormal.value)])
    }
  }

  private func seconds(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }

  private func quick(
    _ slice: (status: OSStatus, defect: SliceDefect?)
  ) -> (status: OSStatus, check: ValidationCheck?) { (slice.status, slice.defect?.check) }

  /// Bypassed, its input comes out as late as it says.
  func checkBypass() throws(AuricleError) {
    guard isEffect, isFed, unit.hasProperty(kAudioUnitProperty_BypassEffect), !isBroken(.bypass),
      !isBroken(.pull)
    else { return }
    let player = ValidationPlayer(unit, .soft(request.seed))
    try player.begin(isCompared: true)
    do throws(AuricleError) {
      try unit.setBypassed(true)
    } catch {
      return fault(.bypass, "BypassEffect cannot be set while it is initialized: \(error.message)")
    }
    let inputs = (try? unit.streamFormat(scope: kAudioUnitScope_Input))?.channelCount
    guard inputs == player.channelCount, let sound = player.sound(16_384) else { return }
    let late = Int((unit.latency * 44_100).rounded())
    guard late < 8192 else { return }
    for channel in sound.indices {
      // A unit may fade.
      for frame in 8192..<16_384 {
        let wanted = player.source.signal.sample(frame - late, channel: channel, bus: 0)
        guard abs(sound[channel][frame] - wanted) > 1e-4 else { continue }
        return fault(
          .bypassed,
          "bypassed it has \(sound[channel][frame]) at frame \(frame), and its input had \(wanted)"
            + (late > 0 ? " \(late) frames before" : ""),
          [.count("channel", channel), .count("frame", frame), .count("latency", late)])
      }
    }
  }

  /// Checks that input up to full scale produces finite numbers.
  func checkFullScale() throws(AuricleError) {
    guard isFed else { return }
    let player = ValidationPlayer(unit)
    try player.begin()
    for (signal, text) in [
      (.noise(level: 1, seed: 2), "noise of full scale"), (.constant(1), "a constant 1"),
      (.constant(-1), "a constant -1"), (.constant(0.9), "a constant 0.9"),
      (.constant(-0.9), "a constant -0.9"),
    ] as [(ValidationSignal, String)] {
      player.source.signal = signal
      for _ in 0..<8 {
        let (status, defect) = player.slice(512)
        if let defect, status == 0 { return note(defect, .fullScale, "with \(text) it") }
      }
    }
  }

  /// Input of any level does no harm, and none is remembered beyond Reset.
  func checkExtremes() throws(AuricleError) {
    guard isFed else { return }
    let player = ValidationPlayer(unit)
    try player.begin()
    for (signal, text) in [
      (.noise(level: 1000, seed: 1), "noise of +60 dBFS"),
      (.constant(.leastNormalMagnitude / 64), "subnormal numbers"),
    ] as [(ValidationSignal, String)] {
      player.source.signal = signal
      for _ in 0..<8 {
        let (status, defect) = player.slice(512)
        if let defect, status == 0 {
          return note(defect, .extremeInput, "with \(text) it", remedy: "bound feedback")
        }
      }
    }
    player.source.signal = .constant(.nan)
    for _ in 0..<4 { _ = player.slice(512) }
    player.source.signal = .soft(request.seed)
    do throws(AuricleError) {
      try player.reset()
    } catch {
      return fault(.reset, "it cannot be reset: \(error.message)")
    }
    for _ in 0..<8 {
      let (status, defect) = player.slice(512)
      if status == 0, let defect {
        return note(
          defect, .extremeInput, "after NaN in its input and a Reset it",
          remedy: "clear all state in Reset")
      }
    }
  }
}
