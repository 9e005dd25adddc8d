// Control ports as parameters of a unit.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CAudioToolbox
internal import CForeignPlugIns
internal import ForeignPlugIns

/// A control port that is a parameter or a meter.
struct LADSPAParameter {
  /// Index of the port.
  let index: Int
  let port: LADSPAPort

  /// The parameter for hosts; its identifier is the port's index.
  var definition: ParameterDefinition {
    let range = port.range
    let names = valueNames
    let (unit, unitName) = unitOfMeasure
    let plain = port.plainDefault
    let start = port.isScaled ? plain ?? port.defaultValue(scale: 1) : port.defaultValue(scale: 1)
    var definition = ParameterDefinition(
      id: UInt32(index), name: port.name.isEmpty ? "Port \(index)" : port.name, unit: unit,
      range: range, defaultValue: start.isFinite ? start : range.lowerBound, unitName: unitName,
      isLogarithmic: port.hints(kLADSPAHint_Logarithmic) && range.lowerBound > 0,
      isMeter: !port.isInput, valueNames: names,
      valuePoints: port.points.map { ($0.value, $0.name) })
    definition.isScaledBySampleRate = port.isScaled
    if port.isScaled, let plain {
      definition.isDefaultScaled = false
      definition.defaultValue = plain
    }
    definition.openEnds = openEnds
    return definition
  }

  /// The value of a fresh instance at a sample rate, as the SDK calculates it.
  ///
  /// It differs from the port's default where the order of the calculation matters.
  func publishedDefault(sampleRate: Double) -> Float {
    let definition = definition
    guard port.isScaled else { return definition.defaultValue }
    let rate = Float(sampleRate)
    guard port.plainDefault != nil else { return definition.defaultValue * rate }
    return min(
      max(definition.defaultValue, definition.minimum * rate), definition.maximum * rate)
  }

  private var openEnds: UInt32 {
    if port.hints(kLADSPAHint_Toggled) { return 0 }
    return (port.minimum == nil ? kAuricleOpenEnd_Below : 0)
      | (port.maximum == nil ? kAuricleOpenEnd_Above : 0)
  }

  /// Names of the values minimum, minimum + 1, … if the named ones are exactly these.
  private var valueNames: [String] {
    guard port.hints(kLADSPAHint_Integer) || port.hints(kLADSPAHint_Toggled), port.points.count > 1
    else { return [] }
    let range = port.range
    for (place, point) in port.points.enumerated()
    where point.value != range.lowerBound + Float(place) {
      return []
    }
    return port.points.last?.value == range.upperBound ? port.points.map(\.name) : []
  }

  private var unitOfMeasure: (code: UInt32, name: String?) {
    if port.hints(kLADSPAHint_Toggled), port.points.isEmpty {
      return (kAudioUnitParameterUnit_Boolean, nil)
    }
    let text = port.unit.isEmpty ? Self.suffix(of: port.name) : port.unit
    if let code = PlugInUnits.code(of: text) { return (code, nil) }
    if port.hints(kLADSPAHint_Integer) { return (kAudioUnitParameterUnit_Indexed, nil) }
    return (kAudioUnitParameterUnit_Generic, nil)
  }

  /// The text in brackets at the end of a name: "Hz" of "Cutoff (Hz)".
  private static func suffix(of name: String) -> String {
    let pairs: [Character: Character] = [")": "(", "]": "["]
    guard let last = name.last, let opening = pairs[last],
      let start = name.lastIndex(of: opening)
    else { return "" }
    return String(name[name.index(after: start)...].dropLast())
  }
}

extension LADSPADescription {
  /// Index of the control output that reports the latency, the last whose name says so; nil without one.
  var latencyPort: Int? {
    ports.lastIndex { $0.isControl && !$0.isInput && $0.name.lowercased().contains("latency") }
  }

  /// The control ports but for the latency, in the order of the unit's parameters.
  var parameters: [LADSPAParameter] {
    let latency = latencyPort
    return ports.enumerated().filter { $0.element.isControl && $0.offset != latency }
      .map { LADSPAParameter(index: $0.offset, port: $0.element) }
  }

  /// The defects of ranges, a sentence each.
  var remarks: [String] {
    ports.enumerated().compactMap { index, port in
      port.rangeDefect.map { "its port \(index) \"\(PlugInText.line(port.name))\" \($0)" }
    }
  }
}
