// Frequencies of a chain that a file's sample rate does not allow: filters are bypassed or moved.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioUnits
import CAudioToolbox
import ResultSettings

extension UnitParameter {
  /// The greatest frequency at a sample rate (Hz); nil where the rate does not limit it.
  func greatestFrequency(at sampleRate: Double) -> Float? {
    guard unit == kAudioUnitParameterUnit_Hertz, let rangeSampleRate else { return nil }
    return Float(Double(maximum) * sampleRate / rangeSampleRate)
  }
}

extension ResolvedRandom.Source {
  /// The part of it that a sample rate (Hz) allows; all of it where that is nothing, or no rate is known.
  func within(_ parameter: UnitParameter, _ sampleRate: Double?) -> ResolvedRandom.Source {
    guard let sampleRate, let greatest = parameter.greatestFrequency(at: sampleRate) else {
      return self
    }
    switch self {
    case .range(let low, let high, let isLogarithmic):
      guard low <= greatest, high > greatest else { return self }
      return .range(low: low, high: greatest, isLogarithmic: isLogarithmic)
    case .choices(let values):
      let allowed = values.filter { $0 <= greatest }
      return allowed.isEmpty ? self : .choices(allowed)
    }
  }
}

extension ResolvedChain {
  /// The chain with frequencies that a sample rate (Hz) allows, and a note for each that was above it.
  ///
  /// Low-passes and shelves above it change nothing and are bypassed; all others are moved to the greatest
  /// frequency.
  func fitted(to sampleRate: Double) -> (chain: ResolvedChain, notes: [String]) {
    var chain = self
    var notes: [String] = []
    for place in stages.indices where !stages[place].isBypassed {
      notes += chain.stages[place].fit(to: sampleRate)
    }
    return (chain, notes)
  }
}

extension ResolvedStage {
  /// Bypasses or moves units whose frequencies are too high for a sample rate (Hz).
  ///
  /// - Returns: A note for each.
  fileprivate mutating func fit(to sampleRate: Double) -> [String] {
    var notes: [String] = []
    for index in parameters.indices {
      let parameter = parameters[index].parameter
      let value = parameters[index].value
      guard let greatest = parameter.greatestFrequency(at: sampleRate), value > greatest else {
        continue
      }
      // A bypassed unit is set as well, within its range.
      parameters[index].value = greatest
      let action = remedy(for: parameter)
      switch action {
      case .bypass: isBypassed = true
      case .bypassBand(let band):
        guard let place = bypassIndex(ofBand: band), parameters[place].value == 0 else { continue }
        parameters[place].value = 1
      case .move: break
      }
      notes.append(note(parameter, value, greatest, sampleRate, action))
    }
    for index in automation.indices {
      let parameter = automation[index].parameter
      guard let greatest = parameter.greatestFrequency(at: sampleRate),
        let highest = automation[index].points.map(\.value).max(), highest > greatest
      else { continue }
      let isAlwaysAbove = automation[index].points.allSatisfy { $0.value > greatest }
      let passesBy = isAlwaysAbove && remedy(for: parameter) == .bypass
      if passesBy { isBypassed = true }
      for place in automation[index].points.indices {
        automation[index].points[place].value = min(
          automation[index].points[place].value, greatest)
      }
      notes.append(note(parameter, highest, greatest, sampleRate, passesBy ? .bypass : .move))
    }
    return notes
  }

  private enum Remedy: Equatable {
    case bypass
    case bypassBand(UInt32)
    case move
  }

  private func remedy(for parameter: UnitParameter) -> Remedy {
    let description = component.description
    guard description.componentType == kAudioUnitType_Effect, component.origin == .builtIn else {
      return .move
    }
    switch description.componentSubType {
    case kAudioUnitSubType_LowPassFilter, kAudioUnitSubType_HighShelfFilter,
      kAudioUnitSubType_LowShelfFilter:
      return .bypass
    case kAudioUnitSubType_NBandEQ:
      let band = parameter.id &- kAUNBandEQParam_Frequency
      return passesBelow(band) ? .bypassBand(band) : .move
    default: return .move
    }
  }

  /// Whether a band of the N-band equaliser is a low-pass or a shelf.
  private func passesBelow(_ band: UInt32) -> Bool {
    let type = parameters.first { $0.id == kAUNBandEQParam_FilterType + band }
    return [
      kAUNBandEQFilterType_2ndOrderButterworthLowPass, kAUNBandEQFilterType_ResonantLowPass,
      kAUNBandEQFilterType_LowShelf, kAUNBandEQFilterType_HighShelf,
      kAUNBandEQFilterType_ResonantLowShelf, kAUNBandEQFilterType_ResonantHighShelf,
    ].contains(UInt32(type?.value ?? 0))
  }

  /// The setting that turns a band of the N-band equaliser off; nil where it is off already.
  private func bypassIndex(ofBand band: UInt32) -> Int? {
    parameters.firstIndex { $0.id == kAUNBandEQParam_BypassBand + band }
  }

  private func note(
    _ parameter: UnitParameter, _ value: Float, _ greatest: Float, _ sampleRate: Double,
    _ remedy: Remedy
  ) -> String {
    let end =
      switch remedy {
      case .bypass: "the unit is bypassed"
      case .bypassBand: "the band is bypassed"
      case .move: "it is \(parameter.text(for: greatest)) instead"
      }
    return "\(label): \(quoted(parameter.name)) of \(parameter.text(for: value)) is out of range at"
      + " \(plainNumber(sampleRate)) Hz: \(end)"
  }
}
