// Values and texts of parameters, as the controller knows them.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns

extension VST3Object {
  /// A normalised value as text; nil where the plug-in writes none. Context: the main thread of plug-ins.
  func text(ofParameter id: UInt32, _ value: Double) -> String? {
    guard let controller = unsafe controller else { return nil }
    let text = unsafe VST3Text.written {
      unsafe controller.pointee.table.pointee.text_of_value(controller, id, value, $0)
    }
    return text?.isEmpty == true ? nil : text
  }

  /// The normalised value of a text; nil where the plug-in reads none in it. Context: the main thread of plug-ins.
  func value(ofParameter id: UInt32, text: String) -> Double? {
    guard let controller = unsafe controller else { return nil }
    var units = Array(text.utf16.prefix(VST3Text.capacity - 1))
    units += [UInt16](repeating: 0, count: VST3Text.capacity - units.count)
    var value = 0.0
    let result = unsafe units.withUnsafeMutableBufferPointer { units in
      unsafe controller.pointee.table.pointee.value_of_text(
        controller, id, units.baseAddress, &value)
    }
    return result == 0 && value.isFinite ? min(max(value, 0), 1) : nil
  }

  /// The plain value of a normalised one.
  func plain(_ id: UInt32, _ value: Double) -> Double {
    guard let controller = unsafe controller else { return value }
    return unsafe controller.pointee.table.pointee.plain(controller, id, value)
  }

  /// The present normalised value.
  func value(_ id: UInt32) -> Double? {
    guard let controller = unsafe controller else { return nil }
    let value = unsafe controller.pointee.table.pointee.value(controller, id)
    return value.isFinite ? min(max(value, 0), 1) : nil
  }

  /// Sets the value that the controller shows; the processor receives it with a slice.
  func setValue(_ id: UInt32, _ value: Double) {
    guard let controller = unsafe controller else { return }
    _ = unsafe controller.pointee.table.pointee.set_value(controller, id, value)
  }

  /// Measures the plain values of a parameter: a straight line, a curve, or nothing of use.
  func measure(_ parameter: inout VST3Parameter) {
    let id = parameter.id
    let low = plain(id, 0)
    let high = plain(id, 1)
    parameter.measuredLow = low
    let points = (0...32).map { plain(id, Double($0) / 32) }
    parameter.plainDefault = plain(id, min(max(parameter.defaultValue, 0), 1))
    let isFinite =
      points.allSatisfy { Float($0).isFinite } && Float(parameter.plainDefault).isFinite
    parameter.rangeDefect =
      !isFinite ? .number : low == high ? .empty : low > high ? .inverted : nil
    if parameter.steps > 0 {
      measureSteps(&parameter, low, high)
      return
    }
    let rises = high > low
    let isMonotone = zip(points, points.dropFirst()).allSatisfy { rises ? $0 < $1 : $0 > $1 }
    guard isFinite, low != high, isMonotone else {
      parameter.shape = VST3Parameter.Shape.none.rawValue
      (parameter.low, parameter.high) = (0, 1)
      return
    }
    (parameter.low, parameter.high) = (low, high)
    let isLine = points.enumerated().allSatisfy { index, point in
      abs(point - (low + (high - low) * Double(index) / 32)) <= abs(high - low) * 1e-6
    }
    parameter.shape = (isLine ? VST3Parameter.Shape.line : .curve).rawValue
  }

  /// Steps are whole numbers: those of the plug-in where it has as many, else from 0 on.
  private func measureSteps(_ parameter: inout VST3Parameter, _ low: Double, _ high: Double) {
    let steps = parameter.steps
    let own = (0...min(steps, 256)).allSatisfy { step in
      let value = plain(parameter.id, Double(step) / Double(steps))
      return abs(value - (low + Double(step))) < 1e-6
    }
    parameter.shape = VST3Parameter.Shape.line.rawValue
    if own, high - low == Double(steps) {
      (parameter.low, parameter.high) = (low, high)
    } else {
      (parameter.low, parameter.high) = (0, Double(steps))
      // A plain value that is not the number of a step is no defect.
      parameter.rangeDefect = nil
    }
    let index = min(max(parameter.defaultValue, 0), 1) * (Double(steps) + 1)
    parameter.plainDefault = parameter.low + min(index.rounded(.down), Double(steps))
  }

  /// Arranges the first buses, and leaves the others as they are; returns the resulting layout of the
  /// first buses.
  ///
  /// The answer is not believed: some plug-ins agree to everything, others to nothing.
  ///
  /// Context: the main thread of plug-ins, of an inactive plug-in.
  func arrange(_ description: VST3Description, _ layout: VST3Layout) -> VST3Layout? {
    guard let processor = unsafe plugin.pointee.processor else { return nil }
    var inputs = description.inputs.map(\.arrangement)
    var outputs = description.outputs.map(\.arrangement)
    if !inputs.isEmpty { inputs[0] = layout.input }
    if !outputs.isEmpty { outputs[0] = layout.output }
    let table = unsafe processor.pointee.table.pointee
    let (inputCount, outputCount) = (Int32(inputs.count), Int32(outputs.count))
    _ = unsafe inputs.withUnsafeMutableBufferPointer { inputs in
      unsafe outputs.withUnsafeMutableBufferPointer { outputs in
        unsafe table.set_arrangements(
          processor, inputs.baseAddress, inputCount, outputs.baseAddress, outputCount)
      }
    }
    func arrangement(_ direction: some BinaryInteger, _ buses: [VST3Bus]) -> UInt64? {
      guard let first = buses.first else { return 0 }
      var bits: UInt64 = 0
      let result = unsafe table.arrangement(processor, Int32(direction), 0, &bits)
      return result == 0 && bits.nonzeroBitCount > 0 ? bits : first.arrangement
    }
    guard let input = arrangement(kVST3_Input, description.inputs),
      let output = arrangement(kVST3_Output, description.outputs)
    else { return nil }
    return VST3Layout(input: input, output: output)
  }
}
