// Parameters of a plug-in as parameters of a unit, and its buses as buses.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import CForeignPlugIns
internal import ForeignPlugIns

extension VST3Parameter {
  func has(_ flag: some BinaryInteger) -> Bool { flags & UInt32(flag) != 0 }

  var isMeter: Bool { has(kVST3Parameter_ReadOnly) }

  /// Whether plain values are of use; else the unit's values are the normalised ones.
  var isPlain: Bool { shape != Shape.none.rawValue }

  /// The range in single precision, in order.
  var range: ClosedRange<Float> {
    let (first, last) = (Float(low), Float(high))
    return min(first, last)...max(first, last)
  }

  /// The default in single precision.
  var publishedDefault: Float {
    Float(isPlain ? plainDefault : min(max(defaultValue, 0), 1))
  }

  /// The parameter for hosts.
  func definition(clumpID: UInt32) -> ParameterDefinition {
    let (unit, unitName) = unitOfMeasure
    var definition = ParameterDefinition(
      id: id, name: name.isEmpty ? "Parameter \(id)" : name, unit: unit, range: range,
      defaultValue: publishedDefault, unitName: unitName, isMeter: isMeter,
      isNonRealtime: !has(kVST3Parameter_CanAutomate) && !isMeter,
      isExpert: has(kVST3Parameter_Hidden), valueNames: valueNames, clumpID: clumpID)
    // A program sets the others: a saved state has its values.
    definition.isGlobalMeta = has(kVST3Parameter_ProgramChange)
    return definition
  }

  private var unitOfMeasure: (code: UInt32, name: String?) {
    if steps > 0 {
      let isSwitch = steps == 1 && range == 0...1 && valueNames.isEmpty
      return (isSwitch ? kAudioUnitParameterUnit_Boolean : kAudioUnitParameterUnit_Indexed, nil)
    }
    // For a unit whose numbers the plug-in hides from hosts, the name would mislead.
    guard isPlain, !units.isEmpty else { return (kAudioUnitParameterUnit_Generic, nil) }
    if let code = PlugInUnits.code(of: units) { return (code, nil) }
    return (kAudioUnitParameterUnit_CustomUnit, units)
  }
}

extension VST3Description {
  /// The unit's parameters, and the names of their groups.
  var definitions: (parameters: [ParameterDefinition], clumpNames: [UInt32: String]) {
    var clumps: [Int32] = []
    let definitions = parameters.map { parameter -> ParameterDefinition in
      guard groups.contains(where: { $0.id == parameter.group }) else {
        return parameter.definition(clumpID: 0)
      }
      if !clumps.contains(parameter.group) { clumps.append(parameter.group) }
      return parameter.definition(
        clumpID: UInt32((clumps.firstIndex(of: parameter.group) ?? 0) + 1))
    }
    var names: [UInt32: String] = [:]
    for (index, group) in clumps.enumerated() { names[UInt32(index + 1)] = path(of: group) }
    return (definitions, names)
  }

  /// The names of a group and those above it, from the top.
  private func path(of id: Int32) -> String {
    var names: [String] = []
    var next = id
    // A loop of groups ends.
    while names.count < 16, let group = groups.first(where: { $0.id == next }) {
      names.insert(group.name, at: 0)
      next = group.parent
    }
    return names.joined(separator: "/")
  }

  /// The place of the parameter by which the plug-in is bypassed; nil for none.
  var bypassPlace: Int? { parameters.firstIndex { $0.has(kVST3Parameter_Bypass) && !$0.isMeter } }

  /// The type of the component.
  var componentType: UInt32 {
    if inputs.isEmpty, outputs.isEmpty { return kAudioUnitType_MIDIProcessor }
    if categories.contains("Instrument") { return kAudioUnitType_MusicDevice }
    if inputs.isEmpty {
      let isGenerator = categories.contains("Generator") || eventInputs.isEmpty
      return isGenerator ? kAudioUnitType_Generator : kAudioUnitType_MusicDevice
    }
    return eventInputs.isEmpty ? kAudioUnitType_Effect : kAudioUnitType_MusicEffect
  }

  /// Whether the input is also the output: the plug-in has none.
  var passesThrough: Bool { outputs.isEmpty && !inputs.isEmpty }

  /// The definitions of the unit's input buses.
  var inputDefinitions: [BusDefinition] { definitions(of: inputs, isInput: true) }

  /// The definitions of the unit's output buses; there is always one, silent if the plug-in has none.
  var outputDefinitions: [BusDefinition] {
    if passesThrough {
      var bus = definitions(of: inputs, isInput: true)[0]
      bus.name = "Output"
      return [bus]
    }
    return outputs.isEmpty
      ? [BusDefinition(name: "Output", channelCount: 2)] : definitions(of: outputs, isInput: false)
  }

  private func definitions(of buses: [VST3Bus], isInput: Bool) -> [BusDefinition] {
    buses.enumerated().map { index, bus in
      let options =
        index == 0 ? layouts.map { isInput ? $0.input : $0.output } : [bus.arrangement]
      let arrangements = options.map { VST3Arrangement($0) }
      var counts: [Int] = []
      var tags: [AudioChannelLayoutTag] = []
      for arrangement in arrangements {
        if !counts.contains(arrangement.channelCount) { counts.append(arrangement.channelCount) }
        if !tags.contains(arrangement.tag) { tags.append(arrangement.tag) }
      }
      var definition = BusDefinition(
        name: bus.name, channelCount: Int(bus.channelCount), isOptional: isInput && index > 0,
        allowedChannelCounts: counts)
      // A number of channels with one layout, the usual one, leaves no choice.
      let isUsual = tags.allSatisfy {
        $0 == ChannelLayoutTag.usual(channelCount: Int($0 & 0xFFFF)).rawValue
      }
      if !isUsual { definition.layoutTags = tags }
      return definition
    }
  }

  /// The channel counts that bus 0 supports.
  var channelCapabilities: [ChannelCapability] {
    if inputs.isEmpty, outputs.isEmpty { return [ChannelCapability(0, -1)] }
    var pairs: [ChannelCapability] = []
    for layout in layouts {
      let input = Int16(clamping: inputs.isEmpty ? 0 : layout.input.nonzeroBitCount)
      let output = passesThrough ? input : Int16(clamping: layout.output.nonzeroBitCount)
      let pair = ChannelCapability(input, output)
      if !pairs.contains(pair) { pairs.append(pair) }
    }
    return pairs
  }
}
