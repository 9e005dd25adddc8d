// Parameter ranges that depend on the sample rate, which is unknown when a preset is checked.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension AudioUnit {
  /// The lowest and highest common sample rates of files (Hz).
  private static let sampleRates = (least: 8_000.0, greatest: 384_000.0)

  /// Whether ranges of parameters change with the sample rate, as far as that shows: the unit says so, or
  /// one of them ends at half the rate that the unit has now.
  func mayFollowSampleRate(_ parameters: [UnitParameter]) -> Bool {
    if rangesFollowSampleRate { return true }
    guard let rate = try? streamFormat(scope: kAudioUnitScope_Output, element: 0).sampleRate else {
      return false
    }
    return parameters.contains { $0.maximum == Float(rate / 2) }
  }

  /// Completes the global parameters of a unit that was just opened with the ranges that go with the
  /// sample rate: as a whole (least value, greatest and default), or with half of it as their end. The
  /// unit has another format then.
  func completeRanges(of parameters: [UnitParameter]) throws(AuricleError) -> [UnitParameter] {
    let rate = try streamFormat(scope: kAudioUnitScope_Output, element: 0).sampleRate
    let (least, greatest) = Self.sampleRates
    // A range that would be empty at the lowest rate has another beginning there.
    let movesDown = parameters.contains {
      $0.maximum == Float(rate / 2) && $0.minimum >= Float(least / 2)
    }
    let minimums = movesDown ? try self.parameters(atRate: least).map(\.minimum) : []
    func isScaled(_ value: Float, _ before: Float) -> Bool {
      abs(value - before * Float(greatest / rate)) <= abs(value) * 1e-4
    }
    let lowest = minimums.count == parameters.count ? minimums : parameters.map(\.minimum)
    let all = zip(zip(parameters, lowest), try self.parameters(atRate: greatest))
    return all.map { known, now in
      let (before, lowest) = known
      if before.id == now.id, before.maximum == Float(rate / 2), now.maximum == Float(greatest / 2)
      {
        var parameter = before
        parameter.rangeAtAnyRate = min(before.minimum, now.minimum, lowest)...now.maximum
        parameter.rangeSampleRate = rate
        return parameter
      }
      guard before.id == now.id, now.maximum != before.maximum,
        isScaled(now.maximum, before.maximum), isScaled(now.minimum, before.minimum),
        isScaled(now.defaultValue, before.defaultValue)
      else { return before }
      var parameter = before
      let minimum = min(before.minimum * Float(least / rate), now.minimum)
      parameter.rangeAtAnyRate = minimum...max(now.maximum, minimum)
      parameter.rangeSampleRate = rate
      return parameter
    }
  }

  /// The global parameters at a sample rate, which all buses have then.
  private func parameters(atRate rate: Double) throws(AuricleError) -> [UnitParameter] {
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for bus in 0..<AudioUnitElement(busCount(scope: scope)) {
        let count = try streamFormat(scope: scope, element: bus).channelCount
        try setStreamFormat(
          AudioStreamFormat(sampleRate: rate, channelCount: count), scope: scope, element: bus)
      }
    }
    return try parameters()
  }

  /// Sets a parameter, and refuses a value that lies beyond its range at this sample rate.
  func set(_ setting: ResolvedParameter) throws(AuricleError) {
    try check([setting.value], of: setting.parameter)
    try setParameter(setting.id, setting.value, scope: setting.scope, element: setting.element)
  }

  /// Starts a parameter that changes over time at its first value; refuses values beyond its range at this
  /// sample rate.
  func begin(_ automation: ResolvedAutomation) throws(AuricleError) {
    let parameter = automation.parameter
    guard let first = automation.points.first else { return }
    try check(automation.points.map(\.value), of: parameter)
    try setParameter(
      parameter.id, first.value, scope: parameter.scope, element: parameter.element)
  }

  private func check(_ values: [Float], of parameter: UnitParameter) throws(AuricleError) {
    guard parameter.rangeAtAnyRate != nil,
      let now = try? parameterInfo(
        parameter.id, scope: parameter.scope, element: parameter.element),
      let value = values.first(where: { !now.acceptedRange.contains($0) })
    else { return }
    let rate = try streamFormat(scope: kAudioUnitScope_Output, element: 0).sampleRate
    throw AuricleError(
      .software, status: kAudioUnitErr_InvalidParameterValue,
      "\(parameter.text(for: value)) is out of the range of \(quoted(parameter.name)) at"
        + " \(Int(rate.rounded())) Hz, which goes from \(now.rangeText)")
  }
}
