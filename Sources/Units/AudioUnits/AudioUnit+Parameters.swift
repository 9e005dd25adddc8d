// Parameters: their list, reading and setting values.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox

extension AudioUnit {
  /// Whether the ranges of parameters change with the sample rate.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_RangesFollowSampleRate`.
  public var rangesFollowSampleRate: Bool {
    hasProperty(kAuricleProperty_RangesFollowSampleRate)
  }

  /// The parameters of one element, in the unit's order; empty if it has none.
  ///
  /// Context: control. The corresponding properties are `kAudioUnitProperty_ParameterList`,
  /// `kAudioUnitProperty_ParameterInfo` and the properties of value names, clumps and symbols.
  public func parameters(
    scope: AudioUnitScope = kAudioUnitScope_Global, element: AudioUnitElement = 0
  ) throws(AuricleError) -> [UnitParameter] {
    guard
      let ids = try? propertyArray(
        kAudioUnitProperty_ParameterList, scope: scope, element: element,
        of: AudioUnitParameterID.self)
    else { return [] }
    var parameters: [UnitParameter] = []
    parameters.reserveCapacity(ids.count)
    for id in ids {
      parameters.append(try parameterInfo(id, scope: scope, element: element))
    }
    return parameters
  }

  /// Reads the list and the descriptions of the parameters, and drops them.
  ///
  /// Some units bind their controls, such as the gate of a note, when a host asks for these.
  ///
  /// Context: control, before an instance plays.
  public func bindParameters() {
    let scope = AudioUnitScope(kAudioUnitScope_Global)
    let ids =
      (try? propertyArray(
        kAudioUnitProperty_ParameterList, scope: scope, of: AudioUnitParameterID.self)) ?? []
    for id in ids {
      let info = unsafe try? property(
        kAudioUnitProperty_ParameterInfo, scope: scope, element: id,
        initial: AudioUnitParameterInfo())
      if let info = unsafe info { unsafe releaseNames(info) }
    }
  }

  /// The description of one parameter.
  ///
  /// - Parameter element: The element whose parameter it is; the C interface has the parameter's id
  ///   in its place for the properties of a parameter.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ParameterInfo`.
  public func parameterInfo(
    _ id: AudioUnitParameterID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0
  ) throws(AuricleError) -> UnitParameter {
    var info: AudioUnitParameterInfo
    do throws(AuricleError) {
      unsafe info = try property(
        kAudioUnitProperty_ParameterInfo, scope: scope, element: id,
        initial: AudioUnitParameterInfo())
    } catch {
      throw failure(AudioStatus(rawValue: error.status), "cannot describe parameter \(id)")
    }
    let flags = unsafe info.flags
    let unit = unsafe info.unit
    var name = ""
    if flags & kAudioUnitParameterFlag_HasCFNameString != 0 {
      name = unsafe String(cfString: info.cfNameString) ?? ""
    }
    if name.isEmpty {
      name = unsafe withUnsafeBytes(of: &info.name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
    var unitName = UnitParameter.unitName(of: unit)
    if unit == kAudioUnitParameterUnit_CustomUnit {
      unitName = unsafe String(cfString: info.unitName) ?? ""
    }
    unsafe releaseNames(info)

    let (minimum, maximum) = unsafe (info.minValue, info.maxValue)
    let isNamed =
      flags & kAudioUnitParameterFlag_ValuesHaveStrings != 0
      || unit == kAudioUnitParameterUnit_Indexed
    let names = isNamed ? valueNames(id, scope: scope) : nil
    var points = valuePoints(id, scope: scope)
    if points.isEmpty, let names {
      points = names.enumerated().map { (minimum + Float($0.offset), $0.element) }
    }
    let text = try? stringProperty(kAuricleProperty_ParameterSymbol, scope: scope, element: id)
    let symbol = text.flatMap { $0.isEmpty ? nil : $0 }
    let hasClump = flags & kAudioUnitParameterFlag_HasClump != 0
    let clump = unsafe hasClump ? clumpName(info.clumpID, scope: scope) : nil
    var parameter = unsafe UnitParameter(
      id: id, scope: scope, element: element, name: name.isEmpty ? "parameter \(id)" : name,
      symbol: symbol, unit: unit, unitName: unitName, minimum: minimum, maximum: maximum,
      defaultValue: info.defaultValue, flags: flags, valueNames: names, valuePoints: points,
      clumpName: clump)
    parameter.openEnds =
      (try? property(
        kAuricleProperty_ParameterOpenEnds, scope: scope, element: id, initial: UInt32(0))) ?? 0
    return parameter
  }

  /// The value of a parameter.
  ///
  /// Context: any. The corresponding Core Audio function is `AudioUnitGetParameter`.
  public func parameter(
    _ id: AudioUnitParameterID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0
  ) throws(AuricleError) -> Float {
    var value: Float = 0
    let status =
      unsafe methods.getParameter.map { unsafe $0(plugIn, id, scope, element, &value) } ?? missing
    try check(status, "cannot get parameter \(id)")
    return value
  }

  /// Sets a parameter.
  ///
  /// - Parameters:
  ///   - value: Must be finite; a value out of range is up to the unit.
  ///   - bufferOffset: Frames into the next slice at which it is set.
  ///
  /// Context: any. The corresponding Core Audio function is `AudioUnitSetParameter`.
  public func setParameter(
    _ id: AudioUnitParameterID, _ value: Float, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0, bufferOffset: UInt32 = 0
  ) throws(AuricleError) {
    guard value.isFinite else {
      throw failure(.invalidParameterValue, "cannot set parameter \(id) to \(value)")
    }
    let status =
      unsafe methods.setParameter.map {
        unsafe $0(plugIn, id, scope, element, value, bufferOffset)
      } ?? missing
    try check(status, "cannot set parameter \(id) to \(value)")
  }

  /// Passes parameter changes for the next slice to the unit: points and ramps.
  ///
  /// Context: render. The corresponding Core Audio function is `AudioUnitScheduleParameters`.
  public func scheduleParameters(_ events: [AudioUnitParameterEvent]) throws(AuricleError) {
    guard !events.isEmpty else { return }
    let status = unsafe events.withUnsafeBufferPointer { buffer in
      unsafe methods.scheduleParameters.map {
        unsafe $0(plugIn, buffer.baseAddress, UInt32(buffer.count))
      } ?? missing
    }
    try check(status, "cannot schedule \(events.count) parameter changes")
  }
}

extension AudioUnit {
  /// A name is the caller's to release only where the flags say so.
  private func releaseNames(_ info: AudioUnitParameterInfo) {
    guard unsafe info.flags & kAudioUnitParameterFlag_CFNameRelease != 0 else { return }
    if unsafe info.flags & kAudioUnitParameterFlag_HasCFNameString != 0,
      let name = unsafe info.cfNameString
    {
      unsafe CFRelease(UnsafeRawPointer(name))
    }
    if unsafe info.unit == kAudioUnitParameterUnit_CustomUnit, let name = unsafe info.unitName {
      unsafe CFRelease(UnsafeRawPointer(name))
    }
  }

  private func valueNames(_ id: AudioUnitParameterID, scope: AudioUnitScope) -> [String]? {
    guard
      let array = unsafe try? property(
        kAudioUnitProperty_ParameterValueStrings, scope: scope, element: id,
        initial: nil as CFArrayRef?)
    else { return nil }
    defer { unsafe CFRelease(UnsafeRawPointer(array)) }
    let count = unsafe max(0, CFArrayGetCount(array))
    let names = (0..<count).map { index in
      let value = unsafe CFArrayGetValueAtIndex(array, index)
      return unsafe String(cfString: value.map { CFStringRef($0) }) ?? ""
    }
    return names.isEmpty ? nil : names
  }

  private func valuePoints(
    _ id: AudioUnitParameterID, scope: AudioUnitScope
  ) -> [(value: Float, name: String)] {
    guard
      let points = unsafe try? propertyArray(
        kAuricleProperty_ParameterValuePoints, scope: scope, element: id,
        of: AuricleValuePoint.self)
    else { return [] }
    return unsafe points.map { point in
      unsafe (point.value, String(consumingCFString: point.name) ?? "")
    }
  }

  private func clumpName(_ clump: UInt32, scope: AudioUnitScope) -> String? {
    var request = unsafe AudioUnitParameterIDName()
    unsafe request.inID = clump
    unsafe request.inDesiredLength = -1
    let answer = unsafe try? property(
      kAudioUnitProperty_ParameterClumpName, scope: scope, element: 0, initial: request)
    return unsafe answer.flatMap { unsafe String(consumingCFString: $0.outName) }
  }
}
