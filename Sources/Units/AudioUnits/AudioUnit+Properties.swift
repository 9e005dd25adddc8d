// Properties: values of any type by id, scope and element.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox

extension AudioUnit {
  /// Size and writability of a property.
  ///
  /// - Returns: `size` in bytes.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitGetPropertyInfo`.
  public func propertyInfo(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0
  ) throws(AuricleError) -> (size: Int, isWritable: Bool) {
    let (status, size, isWritable) = information(id, scope, element)
    try check(status, "cannot ask for \(text(id, scope, element))")
    return (Int(size), isWritable)
  }

  private func information(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> (status: OSStatus, size: UInt32, isWritable: Bool) {
    var size: UInt32 = 0
    var isWritable: Bool = false
    let status =
      unsafe methods.getPropertyInfo.map {
        unsafe $0(plugIn, id, scope, element, &size, &isWritable)
      } ?? missing
    return (status, size, isWritable)
  }

  /// True if the unit has the property.
  ///
  /// Context: control.
  public func hasProperty(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0
  ) -> Bool {
    information(id, scope, element).status == 0
  }

  /// The value of a property of a fixed size.
  ///
  /// CF objects in it come with a reference that the caller releases.
  ///
  /// - Parameter initial: The content of the memory that the unit fills; some properties read it.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitGetProperty`.
  public func property<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0, initial: Value
  ) throws(AuricleError) -> Value {
    var value = initial
    let expected = UInt32(MemoryLayout<Value>.size)
    var size = expected
    let status = unsafe withUnsafeMutableBytes(of: &value) { bytes in
      unsafe methods.getProperty.map {
        unsafe $0(plugIn, id, scope, element, bytes.baseAddress, &size)
      } ?? missing
    }
    try check(status, "cannot get \(text(id, scope, element))")
    try checkSize(size, expected, id, scope, element)
    return value
  }

  private func checkSize(
    _ size: UInt32, _ expected: UInt32, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope,
    _ element: AudioUnitElement
  ) throws(AuricleError) {
    guard size != expected else { return }
    throw failure(
      .invalidPropertyValue,
      "\(text(id, scope, element)) has \(size) bytes where \(expected) are due")
  }

  /// The value of a property of a fixed size.
  ///
  /// CF objects in it come with a reference that the caller releases.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitGetProperty`.
  public func property<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0, as type: Value.Type
  ) throws(AuricleError) -> Value {
    let (value, status, size) = read(id, scope, element, type)
    try check(status, "cannot get \(text(id, scope, element))")
    try checkSize(size, UInt32(MemoryLayout<Value>.size), id, scope, element)
    return value
  }

  /// The value of a property of a fixed size; nil where the unit does not have it. No sentence is made of a refusal.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitGetProperty`.
  func optionalProperty<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0, as type: Value.Type
  ) -> Value? {
    let (value, status, size) = read(id, scope, element, type)
    return status == 0 && size == UInt32(MemoryLayout<Value>.size) ? value : nil
  }

  private func read<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ type: Value.Type
  ) -> (value: Value, status: OSStatus, size: UInt32) {
    var size = UInt32(MemoryLayout<Value>.size)
    var status = missing
    let value = unsafe withUnsafeTemporaryAllocation(
      byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment
    ) { memory in
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
      if let getProperty = unsafe methods.getProperty {
        unsafe status = getProperty(plugIn, id, scope, element, memory.baseAddress, &size)
      }
      return unsafe memory.load(as: Value.self)
    }
    return (value, status, size)
  }

  /// The value of a property that is an array: as many values as the unit has.
  ///
  /// - Parameter limit: Most values to read; further ones are left out.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitGetProperty`.
  public func propertyArray<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0, of type: Value.Type, atMost limit: Int? = nil
  ) throws(AuricleError) -> [Value] {
    let stride = MemoryLayout<Value>.stride
    let available: Int
    if let limit {
      available = max(0, limit)
    } else {
      available = try propertyInfo(id, scope: scope, element: element).size / stride
    }
    guard available > 0 else { return [] }
    guard available <= (1 << 24) / max(1, stride) else {
      throw failure(
        .invalidPropertyValue, "\(text(id, scope, element)) claims \(available * stride) bytes")
    }
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: available)
    defer { unsafe memory.deallocate() }
    let raw = UnsafeMutableRawPointer(memory)
    unsafe raw.initializeMemory(as: UInt8.self, repeating: 0, count: available * stride)
    // The last value counts without the padding behind it.
    let byteCount = (available - 1) * stride + MemoryLayout<Value>.size
    var size = UInt32(byteCount)
    let status =
      unsafe methods.getProperty.map { unsafe $0(plugIn, id, scope, element, raw, &size) }
      ?? missing
    try check(status, "cannot get \(text(id, scope, element))")
    let count = min(available, (Int(size) + stride - MemoryLayout<Value>.size) / stride)
    return unsafe Array(UnsafeBufferPointer(start: memory, count: count))
  }

  /// Sets a property.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitSetProperty`.
  public func setProperty<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0, _ value: Value
  ) throws(AuricleError) {
    let status = unsafe withUnsafeBytes(of: value) { unsafe setBytes($0, id, scope, element) }
    try check(status, "cannot set \(text(id, scope, element))")
  }

  /// Sets a property to values that lie behind each other.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitSetProperty`.
  public func setPropertyArray<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0, _ values: [Value]
  ) throws(AuricleError) {
    let status = unsafe values.withUnsafeBytes { unsafe setBytes($0, id, scope, element) }
    try check(status, "cannot set \(text(id, scope, element))")
  }

  /// Sets a property to bytes; none remove its value.
  private func setBytes(
    _ bytes: UnsafeRawBufferPointer, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope,
    _ element: AudioUnitElement
  ) -> OSStatus {
    let start = unsafe bytes.isEmpty ? nil : bytes.baseAddress
    return unsafe methods.setProperty.map {
      unsafe $0(plugIn, id, scope, element, start, UInt32(bytes.count))
    } ?? missing
  }

  /// Removes the value of a property, where the unit supports it.
  ///
  /// Context: control. The corresponding call is `AudioUnitSetProperty` with no data of size 0.
  public func removeProperty(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0
  ) throws(AuricleError) {
    let status = unsafe setBytes(UnsafeRawBufferPointer(start: nil, count: 0), id, scope, element)
    try check(status, "cannot remove \(text(id, scope, element))")
  }

  /// The value of a property that is a CF string; nil where the unit answers none.
  ///
  /// Context: control.
  public func stringProperty(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0
  ) throws(AuricleError) -> String? {
    let string: CFStringRef? = unsafe try property(
      id, scope: scope, element: element, initial: nil as CFStringRef?)
    return unsafe String(consumingCFString: string)
  }

  /// Sets a property that is a CF string.
  ///
  /// Context: control.
  public func setStringProperty(
    _ id: AudioUnitPropertyID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0, _ text: String
  ) throws(AuricleError) {
    try unsafe withCFString(text) { (string) throws(AuricleError) in
      try unsafe setProperty(id, scope: scope, element: element, string)
    }
  }

  /// Calls `listener` whenever a property changes.
  ///
  /// Context: control; the listener is called on the thread that changes the property. The
  /// corresponding Core Audio function is `AudioUnitAddPropertyListener`.
  public func addPropertyListener(
    _ id: AudioUnitPropertyID, _ listener: AudioUnitPropertyListenerProc,
    refCon: UnsafeMutableRawPointer?
  ) throws(AuricleError) {
    let status =
      unsafe methods.addPropertyListener.map { unsafe $0(plugIn, id, listener, refCon) } ?? missing
    try check(status, "cannot listen to property \(id)")
  }

  /// Undoes `addPropertyListener` with the same arguments.
  ///
  /// Context: control. The corresponding Core Audio function is
  /// `AudioUnitRemovePropertyListenerWithUserData`.
  public func removePropertyListener(
    _ id: AudioUnitPropertyID, _ listener: AudioUnitPropertyListenerProc,
    refCon: UnsafeMutableRawPointer?
  ) throws(AuricleError) {
    let status =
      unsafe methods.removePropertyListener.map { unsafe $0(plugIn, id, listener, refCon) }
      ?? missing
    try check(status, "cannot stop listening to property \(id)")
  }

  private func text(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> String {
    "\(PropertyNames.text(id)) of \(PropertyNames.place(scope: scope, element: element))"
  }
}
