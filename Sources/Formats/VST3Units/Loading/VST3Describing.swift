// Describes a plug-in by its code: buses, layouts, parameters, units, programs.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns

/// Describes plug-ins. Context: the main thread of plug-ins.
enum VST3Describing {
  /// A plug-in of more buses, or units of parameters, is damaged.
  private static let (mostBuses, mostUnits): (Int32, Int32) = (256, 4096)
  /// A plug-in of more parameters or programs is damaged.
  private static let (mostParameters, mostPrograms): (Int32, Int32) = (16_384, 65_536)
  /// The most steps of a parameter whose values are read as texts.
  private static let mostNames: Int32 = 127

  static func describe(_ object: VST3Object) throws(PlugInFailure) -> VST3Description {
    var description = VST3Description()
    description.inputs = try buses(of: object, kVST3_Input)
    description.outputs = try buses(of: object, kVST3_Output)
    description.eventInputs = try eventBuses(of: object, kVST3_Input)
    description.eventOutputs = try eventBuses(of: object, kVST3_Output)
    description.layouts = layouts(of: object, description)
    let mapped = mappedParameters(of: object)
    try addParameters(of: object, to: &description, without: mapped)
    try addUnits(of: object, to: &description)
    description.interfaces = interfaces(of: object)
    description.hasNoteExpression =
      unsafe auricle_vst3_has_expression(object.plugin, UInt32(kVST3Expression_Tuning))
    return description
  }

  private static func buses(
    of object: VST3Object, _ direction: some BinaryInteger
  ) throws(PlugInFailure) -> [VST3Bus] {
    let component = unsafe object.plugin.pointee.component
    let processor = unsafe object.plugin.pointee.processor
    guard let component = unsafe component, let processor = unsafe processor else { return [] }
    let side = Int32(direction) == Int32(kVST3_Input) ? "inputs" : "outputs"
    let count = unsafe try DeclaredCount.checked(
      component.pointee.table.pointee.bus_count(
        component, Int32(kVST3_Audio), Int32(direction)), of: "audio \(side)", atMost: mostBuses)
    var buses: [VST3Bus] = []
    for index in 0..<count {
      var info = AuricleVST3Bus()
      guard
        unsafe component.pointee.table.pointee.bus_info(
          component, Int32(kVST3_Audio), Int32(direction), index, &info) == 0
      else { throw PlugInFailure(reason: "it has no description of its bus \(index)") }
      guard (0...256).contains(info.channel_count) else {
        throw PlugInFailure(reason: "it has a bus of \(info.channel_count) channels")
      }
      var bus = VST3Bus(
        name: VST3Text.line(info.name), channelCount: UInt32(info.channel_count))
      _ = unsafe processor.pointee.table.pointee.arrangement(
        processor, Int32(direction), index, &bus.arrangement)
      if bus.arrangement.nonzeroBitCount != Int(bus.channelCount) {
        bus.arrangement = usualArrangement(bus.channelCount)
      }
      buses.append(bus)
    }
    return buses
  }

  /// The arrangement of a bus whose plug-in names none that fits.
  private static func usualArrangement(_ count: UInt32) -> UInt64 {
    switch count {
    case 1: 0x8_0000
    case 64...: .max
    default: 1 << UInt64(count) - 1
    }
  }

  private static func eventBuses(
    of object: VST3Object, _ direction: some BinaryInteger
  ) throws(PlugInFailure) -> [String] {
    guard let component = unsafe object.plugin.pointee.component else { return [] }
    let count = unsafe try DeclaredCount.checked(
      component.pointee.table.pointee.bus_count(
        component, Int32(kVST3_Event), Int32(direction)), of: "buses of events", atMost: mostBuses)
    return (0..<count).map { index in
      var info = AuricleVST3Bus()
      let isThere =
        unsafe component.pointee.table.pointee.bus_info(
          component, Int32(kVST3_Event), Int32(direction), index, &info) == 0
      let name = isThere ? VST3Text.line(info.name) : ""
      return name.isEmpty ? "Events \(index + 1)" : name
    }
  }

  /// The arrangements of the first buses that the plug-in accepted, and then had.
  private static func layouts(
    of object: VST3Object, _ description: VST3Description
  ) -> [VST3Layout] {
    let own = VST3Layout(
      input: description.inputs.first?.arrangement ?? 0,
      output: description.outputs.first?.arrangement ?? 0)
    var layouts = [own]
    guard !description.inputs.isEmpty || !description.outputs.isEmpty else { return layouts }
    var candidates = VST3Arrangement.known.map {
      VST3Layout(
        input: description.inputs.isEmpty ? 0 : $0.bits,
        output: description.outputs.isEmpty ? 0 : $0.bits)
    }
    if !description.inputs.isEmpty, !description.outputs.isEmpty {
      candidates += [
        VST3Layout(input: 0x8_0000, output: 3), VST3Layout(input: 3, output: 0x8_0000),
      ]
    }
    for candidate in candidates
    where candidate != own && object.arrange(description, candidate) == candidate {
      layouts.append(candidate)
    }
    _ = object.arrange(description, own)
    return layouts
  }

  /// The parameters that controllers of MIDI move.
  private static func mappedParameters(of object: VST3Object) -> Set<UInt32> {
    var assignments = [UInt32](
      repeating: .max, count: 16 * Int(kVST3Controller_Count))
    unsafe auricle_vst3_fill_assignments(object.plugin, &assignments, nil)
    return Set(assignments)
  }

  /// Adds the parameters, except hidden ones that represent controllers of MIDI.
  private static func addParameters(
    of object: VST3Object, to description: inout VST3Description, without mapped: Set<UInt32>
  ) throws(PlugInFailure) {
    guard let controller = unsafe object.controller else { return }
    let table = unsafe controller.pointee.table.pointee
    var seen: Set<UInt32> = []
    let count = unsafe try DeclaredCount.checked(
      table.parameter_count(controller), of: "parameters", atMost: mostParameters)
    for index in 0..<count {
      var info = AuricleVST3Parameter()
      guard unsafe table.parameter_info(controller, index, &info) == 0 else { continue }
      guard seen.insert(info.id).inserted else {
        throw PlugInFailure(reason: "it has two parameters of the id \(info.id)")
      }
      var parameter = VST3Parameter()
      parameter.id = info.id
      parameter.flags = UInt32(bitPattern: info.flags)
      if parameter.has(kVST3Parameter_Hidden), mapped.contains(parameter.id) { continue }
      parameter.name = VST3Text.line(info.title)
      parameter.units = VST3Text.line(info.units)
      parameter.group = info.unit_id
      parameter.steps = max(info.step_count, 0)
      parameter.defaultValue = info.default_value
      if parameter.has(kVST3Parameter_ProgramChange), parameter.group == 0,
        !parameter.isMeter, description.programParameter == nil
      {
        description.programParameter = parameter.id
      }
      object.measure(&parameter)
      addNames(of: object, to: &parameter)
      description.parameters.append(parameter)
    }
  }

  /// Adds the texts of all values where they are few.
  private static func addNames(of object: VST3Object, to parameter: inout VST3Parameter) {
    let steps = parameter.steps
    guard steps > 0, steps <= mostNames else { return }
    let names = (0...steps).compactMap {
      object.text(ofParameter: parameter.id, Double($0) / Double(steps))
    }
    // Texts that are numbers say nothing that the value does not.
    let areNumbers = names.allSatisfy { Double($0) != nil || $0.isEmpty }
    if names.count == Int(steps) + 1, !areNumbers { parameter.valueNames = names }
  }

  private static func addUnits(
    of object: VST3Object, to description: inout VST3Description
  ) throws(PlugInFailure) {
    guard let units = unsafe object.plugin.pointee.units else {
      description.programParameter = nil
      return
    }
    let table = unsafe units.pointee.table.pointee
    var programList: Int32 = -1
    let unitCount = unsafe try DeclaredCount.checked(
      table.unit_count(units), of: "units", atMost: mostUnits)
    for index in 0..<unitCount {
      var unit = AuricleVST3Unit()
      guard unsafe table.unit(units, index, &unit) == 0 else { continue }
      if unit.id == 0 {
        programList = unit.program_list
      } else {
        description.groups.append(
          VST3Group(id: unit.id, parent: unit.parent, name: VST3Text.line(unit.name)))
      }
    }
    guard description.programParameter != nil else { return }
    let listCount = unsafe try DeclaredCount.checked(
      table.list_count(units), of: "lists of programs", atMost: mostUnits)
    for index in 0..<listCount {
      var list = AuricleVST3ProgramList()
      guard unsafe table.list(units, index, &list) == 0, list.id == programList else {
        continue
      }
      let programCount = try DeclaredCount.checked(
        list.program_count, of: "programs", atMost: mostPrograms)
      for program in 0..<programCount {
        let name = unsafe VST3Text.written {
          unsafe table.program_name(units, programList, program, $0)
        }
        description.programs.append(name ?? "Program \(program + 1)")
      }
    }
    if description.programs.isEmpty { description.programParameter = nil }
  }

  /// Names of the optional interfaces that the plug-in answers.
  private static func interfaces(of object: VST3Object) -> [String] {
    let component = unsafe UnsafeMutableRawPointer(object.plugin.pointee.component)
    let controller = unsafe object.controller.map { UnsafeMutableRawPointer($0) }
    func answers(_ target: UnsafeMutableRawPointer?, _ id: AuricleVST3ID) -> Bool {
      var id = id
      guard let found = unsafe auricle_vst3_query(target, &id) else { return false }
      unsafe auricle_vst3_release(found)
      return true
    }
    let ofComponent = [
      ("IProcessContextRequirements", kVST3ID_ContextRequirements),
      ("IPrefetchableSupport", kVST3ID_PrefetchableSupport),
      ("IConnectionPoint", kVST3ID_Connection),
      ("IProgramListData", kVST3ID_ProgramListData), ("IUnitData", kVST3ID_UnitData),
    ]
    let ofController = [
      ("IEditController2", kVST3ID_Controller2), ("IMidiMapping", kVST3ID_MIDIMapping),
      ("IUnitInfo", kVST3ID_UnitInfo), ("INoteExpressionController", kVST3ID_NoteExpression),
      ("INoteExpressionPhysicalUIMapping", kVST3ID_PhysicalMapping),
    ]
    return ofComponent.filter { unsafe answers(component, $0.1) }.map(\.0)
      + ofController.filter { unsafe answers(controller, $0.1) }.map(\.0)
  }
}

extension VST3Description {
  /// The defects of parameters, a sentence each.
  var remarks: [String] {
    parameters.compactMap { parameter in
      parameter.defect.map { "its parameter \(parameter.id) \"\(parameter.name)\" \($0)" }
    }
  }
}

extension VST3Parameter {
  /// The defect of the range or default, as the end of a sentence; nil without one.
  var defect: String? {
    if !(0...1).contains(defaultValue) {
      return "has a default \(defaultValue), which is not between 0 and 1"
    }
    switch rangeDefect {
    case .number: return "has a bound that is no number"
    case .empty: return "has an empty range, \(measuredLow) to \(measuredLow)"
    case .inverted: return "has an inverted range, \(low) to \(high)"
    case nil: return nil
    }
  }
}
