// Checks one plug-in by the rules of its format: what it says.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import UnitValidation

/// The check of one plug-in, in a process that may be lost.
struct VST3CheckRun {
  /// The faults that were found.
  private(set) var faults: [UnitFault] = []
  let description: VST3Description
  let binary: String
  /// The most parameters that are tried.
  private static let mostParameters = 64
  private static let mainKinds: Set<String> = [
    "Fx", "Instrument", "Spatial", "Analyzer", "Ambisonics",
  ]

  /// Checks a plug-in.
  ///
  /// Context: control; the plug-in's code is run.
  init(_ description: VST3Description, binary: String) {
    self.description = description
    self.binary = binary
    checkCategory()
    checkObject()
    checkLife()
    checkSound()
    checkValues()
    checkState()
  }

  mutating func fault(
    _ check: ValidationCheck, _ message: String, _ evidence: [UnitFault.Evidence] = []
  ) {
    guard !faults.contains(where: { $0.check == check.id && $0.message == message }) else { return }
    faults.append(UnitFault(check, message, evidence))
  }

  private mutating func checkCategory() {
    let kinds = description.categories
    guard let first = kinds.first, Self.mainKinds.contains(first) else {
      return fault(
        VST3Checks.category,
        kinds.isEmpty
          ? "it has no sub-categories" : "its sub-categories begin with \"\(kinds[0])\"")
    }
  }

  /// A sentence on a fault, by its rule.
  typealias Finding = (check: ValidationCheck, message: String)

  /// Checks what an initialised plug-in says that renders nothing.
  private mutating func checkObject() {
    let (description, binary) = (description, binary)
    let findings = PlugInLifeCycle.performOnMainThread { () -> [Finding] in
      guard let object = VST3Trial.make(description, binary: binary) else { return [] }
      defer { object.leaveLoop() }
      let fresh = (try? VST3Describing.describe(object)) ?? description
      var findings = Self.findings(ofInterfaces: object, binary)
      findings += Self.findings(ofIndices: object, description)
      findings += Self.findings(ofBuses: object, fresh)
      findings += Self.findings(ofArrangements: object, description)
      let hasUnits = unsafe object.plugin.pointee.units != nil
      let groups = Set(fresh.groups.map(\.id)).union([0])
      for group in fresh.groups where !groups.contains(group.parent) && group.parent != -1 {
        findings.append(
          (VST3Checks.groups, "the parent \(group.parent) of its unit \(group.id) is no unit"))
      }
      for parameter in fresh.parameters {
        findings += Self.findings(of: parameter, object)
        if !groups.contains(parameter.group), hasUnits || parameter.group != 0 {
          findings.append(
            (
              VST3Checks.groups,
              "\(parameter.place) is of the unit \(parameter.group), which is none"
            ))
        }
      }
      if fresh.parameters.count(where: { $0.has(kVST3Parameter_Bypass) }) > 1 {
        findings.append((VST3Checks.bypass, "several of its parameters are the bypass"))
      }
      for parameter in fresh.parameters.prefix(Self.mostParameters) where parameter.isTried {
        findings += Self.findings(ofValues: parameter, object)
      }
      return findings
    }
    for finding in findings { fault(finding.check, finding.message) }
  }

  private static func findings(ofInterfaces object: VST3Object, _ binary: String) -> [Finding] {
    var findings: [Finding] = []
    if let library = try? VST3Library(path: binary), unsafe auricle_vst3_makes_any(library.factory)
    {
      findings.append((VST3Checks.factory, "its factory makes a class that it does not list"))
    }
    if unsafe auricle_vst3_answers_any(object.plugin.pointee.component) {
      findings.append((VST3Checks.query, "its component answers an interface that there is not"))
    }
    if unsafe auricle_vst3_answers_any(object.controller) {
      findings.append((VST3Checks.query, "its controller answers an interface that there is not"))
    }
    return findings
  }

  private static func findings(
    ofIndices object: VST3Object, _ description: VST3Description
  ) -> [Finding] {
    var findings: [Finding] = []
    guard let component = unsafe object.plugin.pointee.component else { return [] }
    for direction in [Int32(kVST3_Input), Int32(kVST3_Output)] {
      let table = unsafe component.pointee.table.pointee
      let count = unsafe table.bus_count(component, Int32(kVST3_Audio), direction)
      for index in [-1, count] {
        var info = AuricleVST3Bus()
        guard unsafe table.bus_info(component, Int32(kVST3_Audio), direction, index, &info) == 0
        else { continue }
        findings.append(
          (VST3Checks.indices, "it describes the bus \(index) of \(count)"))
      }
    }
    guard let controller = unsafe object.controller else { return findings }
    let table = unsafe controller.pointee.table.pointee
    let count = unsafe table.parameter_count(controller)
    for index in [-1, count] {
      var info = AuricleVST3Parameter()
      guard unsafe table.parameter_info(controller, index, &info) == 0 else { continue }
      findings.append(
        (VST3Checks.indices, "it describes the parameter with the index \(index) of \(count)"))
    }
    return findings
  }

  private static func findings(
    ofBuses object: VST3Object, _ description: VST3Description
  ) -> [Finding] {
    var findings: [Finding] = []
    guard let component = unsafe object.plugin.pointee.component,
      let processor = unsafe object.plugin.pointee.processor
    else { return [] }
    for (direction, buses) in [
      (kVST3_Input, description.inputs), (kVST3_Output, description.outputs),
    ] {
      for index in buses.indices {
        var info = AuricleVST3Bus()
        var bits: UInt64 = 0
        guard
          unsafe component.pointee.table.pointee.bus_info(
            component, Int32(kVST3_Audio), Int32(direction), Int32(index), &info) == 0
        else { continue }
        let name =
          "its \(direction == kVST3_Input ? "input" : "output") bus \(index) \"\(buses[index].name)\""
        if index == 0, info.type != Int32(kVST3_Main) {
          findings.append((VST3Checks.buses, "\(name) is not the main one"))
        }
        if index > 0, info.type == Int32(kVST3_Main) {
          findings.append((VST3Checks.buses, "\(name) says that it is the main one"))
        }
        let isKnown =
          unsafe processor.pointee.table.pointee.arrangement(
            processor, Int32(direction), Int32(index), &bits) == 0
        if isKnown, bits.nonzeroBitCount != Int(info.channel_count), info.channel_count < 36 {
          findings.append(
            (
              VST3Checks.buses,
              "\(name) has \(info.channel_count) channels, and an arrangement of \(bits.nonzeroBitCount)"
            ))
        }
      }
    }
    return findings
  }

  /// Asks for arrangements, and compares the answer with what the first output bus then has.
  private static func findings(
    ofArrangements object: VST3Object, _ description: VST3Description
  ) -> [Finding] {
    guard let processor = unsafe object.plugin.pointee.processor,
      let own = description.layouts.first, !description.outputs.isEmpty
    else { return [] }
    defer { _ = object.arrange(description, own) }
    let table = unsafe processor.pointee.table.pointee
    for arrangement in VST3Arrangement.known.prefix(8) where arrangement.bits != own.output {
      var inputs = description.inputs.map(\.arrangement)
      var outputs = description.outputs.map(\.arrangement)
      if !inputs.isEmpty { inputs[0] = arrangement.bits }
      outputs[0] = arrangement.bits
      let (inputCount, outputCount) = (Int32(inputs.count), Int32(outputs.count))
      let answer = unsafe inputs.withUnsafeMutableBufferPointer { inputs in
        unsafe outputs.withUnsafeMutableBufferPointer { outputs in
          unsafe table.set_arrangements(
            processor, inputs.baseAddress, inputCount, outputs.baseAddress, outputCount)
        }
      }
      var bits: UInt64 = 0
      guard answer == 0,
        unsafe table.arrangement(processor, Int32(kVST3_Output), 0, &bits) == 0,
        bits != arrangement.bits
      else { continue }
      let count = arrangement.bits.nonzeroBitCount
      return [
        (
          VST3Checks.arrangements,
          "it accepts \(count) channels (arrangement \(String(arrangement.bits, radix: 16))), and then has "
            + "\(bits.nonzeroBitCount) (\(String(bits, radix: 16)))"
        )
      ]
    }
    return []
  }

  /// Findings on the description of a parameter.
  private static func findings(of parameter: VST3Parameter, _ object: VST3Object) -> [Finding] {
    var findings: [Finding] = []
    let place = parameter.place
    if parameter.id >= 0x8000_0000 {
      findings.append((VST3Checks.identifiers, "\(place) has an id above 2147483647"))
    }
    if parameter.name.isEmpty { findings.append((VST3Checks.titles, "\(place) has no title")) }
    // A list of one program has no range.
    let isProgram = parameter.has(kVST3Parameter_ProgramChange)
    if !isProgram, let defect = parameter.defect {
      findings.append((VST3Checks.range, "\(place) \(defect)"))
    }
    if parameter.has(kVST3Parameter_List), parameter.steps == 0, !isProgram {
      findings.append((VST3Checks.list, "\(place) is a list without steps"))
    }
    if parameter.has(kVST3Parameter_Bypass),
      parameter.steps != 1 || !parameter.has(kVST3Parameter_CanAutomate)
    {
      findings.append(
        (VST3Checks.bypass, "\(place) is the bypass, and no switch that can be automated"))
    }
    let value = object.value(parameter.id) ?? parameter.defaultValue
    if !parameter.isMeter, (0...1).contains(parameter.defaultValue),
      !parameter.isSame(value, parameter.defaultValue)
    {
      findings.append(
        (
          VST3Checks.initial,
          "\(place) is \(value) in a fresh instance, and \(parameter.defaultValue) by default"
        ))
    }
    return findings
  }

  /// Findings on the values and texts of a parameter, by the controller.
  private static func findings(
    ofValues parameter: VST3Parameter, _ object: VST3Object
  ) -> [Finding] {
    guard let controller = unsafe object.controller else { return [] }
    let table = unsafe controller.pointee.table.pointee
    var findings: [Finding] = []
    let place = parameter.place
    let before = object.value(parameter.id)
    for share in [0.0, 0.25, 0.5, 1] {
      let value =
        parameter.steps > 0
        ? (share * Double(parameter.steps)).rounded() / Double(parameter.steps) : share
      let back = unsafe table.normalised(
        controller, parameter.id, object.plain(parameter.id, value))
      if !parameter.isSame(back, value), parameter.isPlain {
        findings.append(
          (VST3Checks.conversion, "\(place) makes \(back) of \(value) by way of a plain value"))
      }
      if let text = object.text(ofParameter: parameter.id, value),
        let read = object.value(ofParameter: parameter.id, text: text),
        let again = object.text(ofParameter: parameter.id, read), again != text,
        !parameter.isSame(read, value)
      {
        findings.append(
          (
            VST3Checks.texts,
            "\(place) writes \(value) as \"\(text)\", and reads that as \"\(again)\""
          ))
      }
      object.setValue(parameter.id, value)
      let now = unsafe table.value(controller, parameter.id)
      if !parameter.isSame(now, value) {
        findings.append((VST3Checks.controller, "\(place) is \(now) after it was set to \(value)"))
      }
    }
    for value in [-1.0, 2] {
      object.setValue(parameter.id, value)
      let now = unsafe table.value(controller, parameter.id)
      if !(0...1).contains(now) {
        findings.append((VST3Checks.clamp, "\(place) is \(now) after it was set to \(value)"))
      }
    }
    if let before { object.setValue(parameter.id, before) }
    return findings
  }
}

extension VST3Parameter {
  /// The parameter in a sentence.
  var place: String { "its parameter \(id) \"\(name)\"" }

  /// Whether a host may move it, and its range is of use.
  var isTried: Bool {
    !isMeter && rangeDefect == nil && !has(kVST3Parameter_ProgramChange)
      && !has(kVST3Parameter_Hidden)
  }

  /// Whether two normalised values are the same one, in single precision or of one step.
  func isSame(_ first: Double, _ second: Double) -> Bool {
    guard first.isFinite else { return false }
    guard steps > 0 else { return abs(first - second) < 1e-4 }
    func step(_ value: Double) -> Double {
      min((min(max(value, 0), 1) * (Double(steps) + 1)).rounded(.down), Double(steps))
    }
    return step(first) == step(second)
  }
}
