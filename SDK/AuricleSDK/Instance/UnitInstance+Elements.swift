// The elements of the scopes: their counts and names.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import RealtimeSupport

extension UnitInstance {
  /// Returns the number of elements of a scope; nil for a scope the unit does not have.
  func elementCount(_ scope: AudioUnitScope) -> Int? {
    let count = table.elementCount(scope)
    return count < 0 ? nil : count
  }

  /// Returns whether an element exists.
  func isValid(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> Bool {
    Int(element) < (elementCount(scope) ?? 0)
  }

  /// Returns whether a host may choose the number of elements of a scope.
  func canSetElementCount(_ scope: AudioUnitScope) -> Bool {
    guard let counts = definition.elements(of: scope)?.counts else { return false }
    return counts.lowerBound < counts.upperBound
  }

  /// Sets the number of elements of a scope; new ones are like those of a fresh instance.
  ///
  /// The sources of removed input buses are removed. Context: control, uninitialised.
  func setElementCount(_ count: UInt32, of scope: AudioUnitScope) -> OSStatus {
    guard let elements = definition.elements(of: scope) else { return kAudioUnitErr_InvalidScope }
    guard canSetElementCount(scope) else { return kAudioUnitErr_PropertyNotWritable }
    // Setting the current value is allowed at any time.
    guard Int(count) != table.elementCount(scope) else { return 0 }
    guard !isInitialized else { return kAudioUnitErr_Initialized }
    guard elements.counts.contains(Int(count)) else { return kAudioUnitErr_InvalidPropertyValue }
    let before = table.elementCount(scope)
    let now = Int(count)
    switch scope {
    case kAudioUnitScope_Input:
      for bus in now..<max(now, before) { replaceSource(bus, with: nil) }
      resize(&inputFormats, scope, now, sampleRate)
      unsafe render.pointee.inputCount = now
    case kAudioUnitScope_Output:
      resize(&outputFormats, scope, now, sampleRate)
      unsafe render.pointee.outputCount = now
    default: break
    }
    table.setElementCount(now, of: scope)
    countChannels()
    for element in now..<max(now, before) {
      elementNames[ElementAddress(scope: scope, element: element)] = nil
    }
    forgetSettings(scope, from: now)
    if scope == kAudioUnitScope_Part { partPresets = partPresets.filter { $0.key < now } }
    if definition.channelMatrix == nil {
      for element in before..<max(now, before) { setDefaults(scope, element) }
    }
    propertyChanged(kAudioUnitProperty_ElementCount, scope: scope)
    return 0
  }

  private func resize(
    _ formats: inout [AudioStreamBasicDescription], _ scope: AudioUnitScope, _ count: Int,
    _ rate: Double
  ) {
    while formats.count > count { formats.removeLast() }
    while formats.count < count {
      let channels = definition.bus(scope, formats.count).channelCount
      formats.append(Self.canonical(rate, channels))
    }
  }

  /// Display name of an existing element: the host's, otherwise the unit's own.
  func elementName(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> String {
    if let name = elementNames[ElementAddress(scope: scope, element: Int(element))] { return name }
    switch scope {
    case kAudioUnitScope_Global: return "Global"
    case kAudioUnitScope_Input, kAudioUnitScope_Output:
      return definition.bus(scope, Int(element)).name
    default: return "\(definition.elements(of: scope)?.name ?? "Element") \(element + 1)"
    }
  }

  /// Sets the name of an existing element; nil restores its own.
  func setElementName(_ scope: AudioUnitScope, _ element: AudioUnitElement, _ name: String?) {
    elementNames[ElementAddress(scope: scope, element: Int(element))] = name
  }

  /// Returns the parameters that each element of a scope has.
  func parameters(of scope: AudioUnitScope) -> [ParameterDefinition] {
    definition.elements(of: scope)?.parameters ?? []
  }

  /// Returns the declaration of a parameter; nil if the scope has none of that id.
  func parameterDefinition(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope
  ) -> ParameterDefinition? {
    table.place(id, scope).map { parameters(of: scope)[$0] }
  }

  /// Returns the value of a parameter of an existing element, by its index in the scope.
  ///
  /// - Parameters:
  ///   - scope: A `kAudioUnitScope_…` code.
  ///   - element: Element, from 0.
  ///   - place: Index of the parameter among those of the scope.
  ///
  /// Context: any.
  public func value(_ scope: AudioUnitScope, _ element: Int, _ place: Int) -> Float {
    values.value(at: table.firstIndex(scope, element) + place)
  }

  /// Sets a parameter of an existing element, by its index, without checks.
  ///
  /// The value is not brought into the range. The corresponding Core Audio function, with checks, is
  /// `AudioUnitSetParameter`.
  ///
  /// - Parameters:
  ///   - value: In the parameter's unit.
  ///   - scope: A `kAudioUnitScope_…` code.
  ///   - element: Element, from 0.
  ///   - place: Index of the parameter among those of the scope.
  ///
  /// Context: any.
  public func setValue(_ value: Float, _ scope: AudioUnitScope, _ element: Int, _ place: Int) {
    values.setValue(value, at: table.firstIndex(scope, element) + place)
  }

  /// Index in `values` of a parameter of an element; nil where there is none.
  ///
  /// Context: any.
  public func valueIndex(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, element: AudioUnitElement
  ) -> Int? {
    var address = ParameterAddress()
    return table.find(id, scope, element, &address) == 0 ? address.index : nil
  }

  /// Sets every parameter of an element to its default.
  func setDefaults(_ scope: AudioUnitScope, _ element: Int) {
    for (place, parameter) in parameters(of: scope).enumerated() {
      setValue(parameter.defaultValue(atSampleRate: sampleRate), scope, element, place)
    }
  }
}

/// A scope and an element of it.
struct ElementAddress: Hashable {
  var scope: AudioUnitScope
  var element: Int
}
