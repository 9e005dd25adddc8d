// Rendering: rates and slices, errors of sources, too many frames, scheduled changes.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// The format that the unit comes with.
  func checkRendering() throws(AuricleError) {
    let player = ValidationPlayer(unit, .soft(request.seed))
    player.open(512)
    expect(
      player.slice(64).status != 0, .uninitialized, "it renders although it is not initialized")
    try player.begin()
    _ = player.source.consumeDefect()
    for frames in [512, 512, 64, 512, 17, 512] {
      guard play(player, frames, rate: 44_100, at: 44_100, .renders) else { return }
    }
  }

  /// Renders a slice and reports its defect; returns whether there is none.
  private func play(
    _ player: ValidationPlayer, _ frames: Int, rate: Double, at name: Int, _ check: ValidationCheck
  ) -> Bool {
    let text = "a slice of \(frames) frames at \(name) Hz"
    let seen: [UnitFault.Evidence] = [
      .count("sampleRate", Int(rate)), .count("frames", frames), .count("time", player.time),
    ]
    if keepsRate { player.source.most = frames }
    let (status, defect) = player.slice(frames)
    if let asked = player.source.consumeDefect(), keepsRate {
      fault(.pull, "for \(text) \(asked)", seen)
      return false
    }
    guard
      expect(
        status == 0, check, "\(text) gave the error \(status)",
        seen + [.count("status", Int(status))])
    else { return false }
    guard let defect else { return true }
    // A defect that was reported for the default format is the same here.
    if wasBroken(defect.check) { return false }
    let isLow = defect.check == .finite && rate < 44_100
    let isWide = check == .wideRates && defect.check != .overrun
    fault(
      isLow ? .lowRates : isWide ? .wideRates : defect.check,
      "\(text) \(defect.clause)", seen + defect.evidence)
    return false
  }

  /// The rates (Hz) and slices that every unit is rendered at, with the greatest slice that is set.
  private static let steps: [(rate: Double, frames: Int, maximum: Int)] = [
    (44_100, 64, 512), (22_050, 64, 64), (96_000, 137, 137), (48_000, 4096, 4096),
    (192_000, 4096, 4096), (11_025, 4096, 4096), (88_200, 1024, 1024), (44_100, 512, 512),
  ]

  /// Renders at all rates and slices.
  func checkRates() {
    for step in Self.steps { checkStep(step.rate, step.frames, step.maximum, .rates) }
  }

  /// Renders at settings that few hosts use, as far as the unit can be initialized for them.
  func checkWideRates() {
    for (rate, frames) in [
      (8000, 1), (16_000, 8192), (32_000, 3), (44_100, 1), (44_100, 8192), (48_000, 1023),
      (176_400, 31), (384_000, 8192), (384_000, 1),
    ] as [(Double, Int)] { checkStep(rate, frames, frames, .wideRates) }
  }

  /// A rate that is accepted while the unit is initialized is rendered.
  func checkChangedFormat() throws(AuricleError) {
    guard keepsRate else { return }
    let player = ValidationPlayer(unit, .soft(request.seed))
    try player.begin()
    guard player.slice(512).status == 0 else { return }
    var isAccepted = false
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for element in 0..<UInt32(unit.busCount(scope: scope)) {
        let set: Void? = try? unit.setProperty(
          kAudioUnitProperty_SampleRate, scope: scope, element: element, 48_000.0)
        if set != nil { isAccepted = true }
      }
    }
    for slice in 0..<4 where isAccepted {
      let (status, defect) = player.slice(512)
      let seen: [UnitFault.Evidence] = [.count("slice", slice), .count("status", Int(status))]
      guard
        expect(
          status == 0, .changedFormat,
          "48000 Hz are accepted while it is initialized at 44100 Hz, and a slice then gives the "
            + "error \(status)", seen)
      else { return }
      if let defect {
        return note(defect, .changedFormat, "with 48000 Hz set while it is initialized it")
      }
    }
  }

  private func checkStep(_ rate: Double, _ frames: Int, _ maximum: Int, _ check: ValidationCheck) {
    let player: ValidationPlayer
    do throws(AuricleError) {
      player = ValidationPlayer(unit, .soft(request.seed))
      try player.begin(rate: rate, maximum: maximum)
    } catch {
      guard check != .wideRates else { return }
      return fault(
        check, "it cannot be made ready for \(frames) frames at \(Int(rate)) Hz: \(error.message)",
        [.count("sampleRate", Int(rate)), .count("frames", frames)])
    }
    for _ in 0..<3 {
      guard play(player, frames, rate: rate, at: Int(rate), check) else { return }
    }
  }

  /// Errors of sources come back, and more frames than the greatest slice are refused.
  func checkFailures() throws(AuricleError) {
    let player = ValidationPlayer(unit)
    // In real time a unit may pull ahead on a separate thread, and report the error a slice later.
    try player.begin(isCompared: true)
    guard player.slice(512).status == 0 else { return }
    let pulls = player.source.wasPulled
    if pulls, type != kAudioUnitType_Mixer {
      player.source.status = -7531
      let status = player.slice(512).status
      expect(
        status == -7531, .inputError,
        "its input failed with -7531, and the caller received \(status)",
        [.count("status", Int(status))])
      player.source.status = 0
    }
    _ = player.source.consumeDefect()
    let status = player.slice(1024).status
    expect(status != 0, .tooMany, "it renders 1024 frames where 512 are the most")
    // A unit that renders them has to pull them.
    expect(
      status == 0 || !player.source.wasPulled, .tooManyPulled,
      "it pulls its input for 1024 frames where 512 are the most")
    let again = player.slice(512).status
    expect(
      again == 0, .recovers, "after errors that were mended it gives the error \(again)",
      [.count("status", Int(again))])
    guard again == 0 else { return }
    let (reported, defect) = player.slice(512, hasMemory: false)
    expect(
      reported == 0, .nullOutput, "without memory of the caller it gives the error \(reported)",
      [.count("status", Int(reported))])
    note(defect, .nullOutput, "without memory of the caller it")
  }

  /// Scheduled changes are accepted, and leave the parameter at their last value.
  func checkSchedules() throws(AuricleError) {
    guard unit.implements(Int16(kAudioUnitScheduleParametersSelect)) else { return }
    let parameters = settable(of: unit).filter {
      $0.scope == kAudioUnitScope_Global && $0.minimum < $0.maximum
    }
    let player = ValidationPlayer(unit)
    try player.begin()
    for parameter in parameters.prefix(8) {
      let seen: [UnitFault.Evidence] = [.count("parameter", Int(parameter.id))]
      let target = parameter.isIndexed ? parameter.maximum : parameter.minimum
      for isRamp in [false, true]
      where !isRamp || parameter.flags & kAudioUnitParameterFlag_CanRamp != 0 {
        let value = isRamp ? parameter.defaultValue : target
        do throws(AuricleError) {
          try unit.scheduleParameters([Self.event(parameter, value, isRamp: isRamp, at: 32)])
        } catch {
          fault(.schedule, "\(parameter.id) cannot be scheduled: \(error.message)", seen)
          break
        }
        let status = player.slice(512).status
        guard
          expect(
            status == 0, .schedule, "a slice with scheduled changes gave the error \(status)", seen)
        else { return }
        guard let found = self.value(of: parameter, in: unit) else { continue }
        expect(
          abs(found - value) <= 1e-3 * (parameter.maximum - parameter.minimum)
            || isBroken(.parameterValue) || isMomentary(parameter, value, player),
          .scheduledValue,
          "\(parameter.id), \"\(parameter.name)\", was scheduled to be \(value), and is \(found)",
          seen + [.value("value", value), .value("found", found)])
      }
    }
  }

  /// Whether a value that is set springs back when a slice is rendered, as a push button does.
  private func isMomentary(
    _ parameter: UnitParameter, _ value: Float, _ player: ValidationPlayer
  ) -> Bool {
    guard value != parameter.defaultValue,
      (try? unit.setParameter(parameter.id, value, scope: parameter.scope)) != nil
    else { return false }
    _ = player.slice(512)
    return self.value(of: parameter, in: unit) == parameter.defaultValue
  }

  /// A change of a parameter within the next slice.
  static func event(
    _ parameter: UnitParameter, _ value: Float, isRamp: Bool, at offset: Int
  ) -> AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    event.parameter = parameter.id
    event.scope = parameter.scope
    event.eventType = isRamp ? kParameterEvent_Ramped : kParameterEvent_Immediate
    if isRamp {
      unsafe event.eventValues.ramp.startBufferOffset = Int32(offset)
      unsafe event.eventValues.ramp.durationInFrames = 128
      unsafe event.eventValues.ramp.startValue = parameter.minimum
      unsafe event.eventValues.ramp.endValue = value
    } else {
      unsafe event.eventValues.immediate.bufferOffset = UInt32(offset)
      unsafe event.eventValues.immediate.value = value
    }
    return event
  }
}
