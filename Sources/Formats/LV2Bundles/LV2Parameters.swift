// Control ports as parameters.
// SPDX-License-Identifier: Apache-2.0

package import AuricleSDK
internal import CAudioToolbox

extension LV2Port {
  /// Whether the port is a parameter or a meter for hosts.
  var isParameter: Bool {
    kind == .control && role == .ordinary || kind == .cv && isInput
  }

  /// Minimum, maximum and default, completed where the data has none.
  ///
  /// As in the reference hosts: a missing default is 0, clamped to the range.
  package var completeRange: (minimum: Float, maximum: Float, defaultValue: Float) {
    var low = minimum ?? min(0, defaultValue ?? 0)
    var high = maximum ?? max(isToggled ? 1 : low + 1, max(1, defaultValue ?? 0))
    if let last = scalePoints.last, maximum == nil { high = max(high, last.value) }
    if let first = scalePoints.first, minimum == nil { low = min(low, first.value) }
    if low > high { (low, high) = (high, low) }
    // An explicit default outside of the range is kept, and the range is widened to it, unless the plug-in
    // has strict bounds.
    if hasStrictBounds, !hasPlainDefault {
      return (low, high, min(max(defaultValue ?? 0, low), high))
    }
    let start = defaultValue ?? min(max(0, low), high)
    if hasPlainDefault { return (low, high, start) }
    return (min(low, start), max(high, start), start)
  }

  /// Whether the default is the value itself although the bounds are multiples of the sample rate: data
  /// made from LADSPA has 440 Hz so, and all other defaults as multiples.
  private var hasPlainDefault: Bool {
    guard isScaledBySampleRate, let minimum, let maximum, let defaultValue else { return false }
    return defaultValue < minimum || defaultValue > maximum
  }

  /// The ends of the range that the data leaves open: bits of `kAuricleOpenEnd_…`.
  ///
  /// A port of whole numbers, a switch and an enumeration have the values that the data names.
  private var openEnds: UInt32 {
    if isToggled || isChoice && !scalePoints.isEmpty { return 0 }
    return (minimum == nil ? kAuricleOpenEnd_Below : 0)
      | (maximum == nil ? kAuricleOpenEnd_Above : 0)
  }

  /// Whether the values are whole numbers: named ones may lie anywhere.
  private var isChoice: Bool {
    isInteger || isEnumeration && scalePoints.allSatisfy { $0.value == $0.value.rounded() }
  }

  /// Names of the values minimum, minimum + 1, … if the scale points are exactly these.
  var contiguousNames: [String] {
    guard isInteger || isEnumeration || isToggled, scalePoints.count > 1 else { return [] }
    let (low, high, _) = completeRange
    guard scalePoints.first?.value == low, scalePoints.last?.value == high else { return [] }
    for (index, point) in scalePoints.enumerated() where point.value != low + Float(index) {
      return []
    }
    return scalePoints.map(\.label)
  }

  /// The port as a parameter.
  package func parameter(clumpID: UInt32) -> ParameterDefinition {
    let (low, high, start) = completeRange
    let names = contiguousNames
    var unit = self.unit ?? LV2Unit(code: kAudioUnitParameterUnit_Generic)
    if isToggled, names.isEmpty {
      unit = LV2Unit(code: kAudioUnitParameterUnit_Boolean)
    } else if !names.isEmpty || self.unit == nil && isChoice {
      unit = LV2Unit(code: kAudioUnitParameterUnit_Indexed)
    }
    var parameter = ParameterDefinition(
      id: UInt32(index), name: name, unit: unit.code, range: low...high, defaultValue: start,
      symbol: symbol, unitName: unit.name, isLogarithmic: isLogarithmic, isMeter: !isInput,
      isNonRealtime: isExpensive || isNotAutomatic || isTrigger, isExpert: isHidden,
      valueNames: names,
      valuePoints: scalePoints.map { ($0.value, $0.label) }, clumpID: clumpID)
    parameter.openEnds = openEnds
    parameter.isScaledBySampleRate = isScaledBySampleRate
    parameter.isDefaultScaled = !hasPlainDefault
    if hasPlainDefault { parameter.defaultValue = start }
    return parameter
  }

  /// The port's initial value at a sample rate.
  package func initialValue(sampleRate: Double) -> Float {
    let (low, high, start) = completeRange
    let rate = Float(sampleRate)
    if hasPlainDefault { return min(max(start, low * rate), high * rate) }
    return isScaledBySampleRate ? start * rate : start
  }
}

extension LV2PluginDescription {
  /// Ports that are parameters, in the order of the unit's parameters.
  package var parameterPorts: [LV2Port] { ports.filter(\.isParameter) }

  /// The unit's parameters, and the names of their groups: first the ports, then the properties.
  package var parameters: (definitions: [ParameterDefinition], clumpNames: [UInt32: String]) {
    var clumps: [String] = []
    func clump(_ group: String?) -> UInt32 {
      guard let group else { return 0 }
      if !clumps.contains(group) { clumps.append(group) }
      return UInt32((clumps.firstIndex(of: group) ?? 0) + 1)
    }
    var definitions = parameterPorts.map { $0.parameter(clumpID: clump($0.group)) }
    for (property, id) in zip(numberProperties, numberPropertyIDs) {
      definitions.append(property.parameter(id: id, clumpID: clump(property.group)))
    }
    var names: [UInt32: String] = [:]
    for (index, uri) in clumps.enumerated() {
      names[UInt32(index + 1)] = groups.first { $0.uri == uri }?.name ?? uri
    }
    return (definitions, names)
  }
}
