// Property information, reading, writing and removing, by the table of properties.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension UnitProperty {
  /// Every property that a unit of the SDK has, by its id.
  static let all: [AudioUnitPropertyID: UnitProperty] = [
    ofBuses, ofUnits, ofHosts, ofPresets, ofParameters, ofMappings, ofMemory, ofMIDI, ofRemotes,
  ].reduce(into: [:]) { all, rows in all.merge(rows) { _, new in new } }
}

extension UnitInstance {
  /// Returns the unit's own property on a scope.
  private func ownProperty(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope
  ) -> PropertyDefinition? {
    definition.properties.first { $0.id == id && $0.scope == scope }
  }

  /// Size and writability of a property.
  ///
  /// An unknown property is an invalid property; one of another scope or element, an invalid scope or
  /// element.
  func info(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> PropertyInfo {
    if let own = ownProperty(id, scope) {
      guard elementCount(scope) != nil else { return .error(kAudioUnitErr_InvalidScope) }
      guard own.elementIsNumber || isValid(scope, element) else {
        return .error(kAudioUnitErr_InvalidElement)
      }
      return PropertyInfo(
        size: own.currentSize?(self, element) ?? own.size, isWritable: own.isWritable)
    }
    guard let row = UnitProperty.all[id] else {
      let isElsewhere = definition.properties.contains { $0.id == id }
      return .error(isElsewhere ? kAudioUnitErr_InvalidScope : kAudioUnitErr_InvalidProperty)
    }
    guard row.allows(scope, of: self) else { return .error(kAudioUnitErr_InvalidScope) }
    if case .existing = row.elements, !isValid(scope, element) {
      return .error(kAudioUnitErr_InvalidElement)
    }
    return row.info(PropertyPlace(unit: self, scope: scope, element: element))
  }

  /// Reads a property like `AudioUnitGetProperty`: a smaller buffer receives the beginning of it.
  func get(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeMutableRawPointer?, _ ioSize: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    let info = info(id, scope, element)
    guard info.status == 0 else { return info.status }
    guard let data = unsafe data else {
      unsafe ioSize.pointee = info.size
      return 0
    }
    let room = unsafe ioSize.pointee
    guard room > 0 || info.size == 0 else { return kAudio_ParamError }
    let isQuestion = ownProperty(id, scope) == nil && UnitProperty.all[id]?.isQuestion == true
    if isQuestion || room >= info.size {
      // A request without room for its answer is refused.
      if !isQuestion || room > info.size { unsafe ioSize.pointee = info.size }
      return unsafe read(id, scope, element, data, min(room, info.size))
    }
    let whole = UnsafeMutableRawPointer.allocate(byteCount: Int(info.size), alignment: 16)
    defer { unsafe whole.deallocate() }
    unsafe whole.initializeMemory(as: UInt8.self, repeating: 0, count: Int(info.size))
    let status = unsafe read(id, scope, element, whole, info.size)
    if status == 0 { unsafe data.copyMemory(from: whole, byteCount: Int(room)) }
    return status
  }

  /// Copies an existing property; `data` has room for `size` bytes.
  private func read(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeMutableRawPointer, _ size: UInt32
  ) -> OSStatus {
    if let own = ownProperty(id, scope) { return unsafe own.read(self, element, data) }
    guard let read = unsafe UnitProperty.all[id]?.read else { return kAudioUnitErr_InvalidProperty }
    return unsafe read(PropertyPlace(unit: self, scope: scope, element: element), data, size)
  }

  /// The properties that a kernel is made of.
  private static let ofKernels: Set<AudioUnitPropertyID> = [
    kAudioUnitProperty_StreamFormat, kAudioUnitProperty_SampleRate,
    kAudioUnitProperty_MaximumFramesPerSlice, kAudioOutputUnitProperty_ChannelMap,
    kAudioUnitProperty_SampleRateConverterComplexity,
  ]

  /// Sets a property to `size` bytes at `data`; null and 0 remove its value.
  func write(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    let status = unsafe writeOnce(id, scope, element, data, size)
    guard status == kAudioUnitErr_Initialized, definition.allowsChangesWhileInitialized,
      Self.ofKernels.contains(id)
    else { return status }
    return reinitialize { unsafe writeOnce(id, scope, element, data, size) }
  }

  /// Sets a property as the state of the unit allows.
  private func writeOnce(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    guard unsafe (data == nil) == (size == 0) else { return kAudio_ParamError }
    let info = info(id, scope, element)
    guard info.status == 0 else { return info.status }
    guard info.isWritable else { return kAudioUnitErr_PropertyNotWritable }
    if let own = ownProperty(id, scope) {
      let status = unsafe own.write(self, element, data, size)
      if status == 0 { propertyChanged(id, scope: scope, element: element) }
      return status
    }
    let place = PropertyPlace(unit: self, scope: scope, element: element)
    guard let data = unsafe data else {
      return UnitProperty.all[id]?.remove?(place) ?? kAudioUnitErr_InvalidPropertyValue
    }
    guard let write = unsafe UnitProperty.all[id]?.write else {
      return kAudioUnitErr_PropertyNotWritable
    }
    return unsafe write(place, data, size)
  }

  /// Size of a pointer in bytes.
  static let pointerSize = UnitProperty.pointerSize

  /// Stores a value.
  func store<Value>(_ value: Value, _ data: UnsafeMutableRawPointer) -> OSStatus {
    unsafe data.initializeMemory(as: Value.self, to: value)
    return 0
  }

  /// Loads a value of exactly its size.
  func load<Value>(_ type: Value.Type, _ data: UnsafeRawPointer, _ size: UInt32) -> Value? {
    guard Int(size) == MemoryLayout<Value>.size else { return nil }
    return unsafe data.loadUnaligned(as: Value.self)
  }
}
