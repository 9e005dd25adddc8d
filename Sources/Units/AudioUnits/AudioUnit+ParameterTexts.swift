// Names of parameters, texts of their values, dependencies among them, and their MIDI mappings.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox

extension AudioUnit {
  /// A value of a parameter as the unit writes it; the present one for nil.
  ///
  /// - Returns: nil where the unit writes none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ParameterStringFromValue`.
  public func text(
    ofParameter id: AudioUnitParameterID, value: Float? = nil,
    scope: AudioUnitScope = kAudioUnitScope_Global, element: AudioUnitElement = 0
  ) -> String? {
    var wanted = value ?? 0
    return unsafe withUnsafePointer(to: &wanted) { pointer in
      let request = unsafe AudioUnitParameterStringFromValue(
        inParamID: id, inValue: value == nil ? nil : pointer, outString: nil)
      let answer = unsafe try? property(
        kAudioUnitProperty_ParameterStringFromValue, scope: scope, element: element,
        initial: request)
      return unsafe answer.flatMap { unsafe String(consumingCFString: $0.outString) }
    }
  }

  /// The value of a text; nil where the unit reads none in it.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ParameterValueFromString`.
  public func value(
    ofParameter id: AudioUnitParameterID, text: String,
    scope: AudioUnitScope = kAudioUnitScope_Global, element: AudioUnitElement = 0
  ) -> Float? {
    unsafe withCFString(text) { string in
      let request = unsafe AudioUnitParameterValueFromString(
        inParamID: id, inString: string, outValue: 0)
      let answer = unsafe try? property(
        kAudioUnitProperty_ParameterValueFromString, scope: scope, element: element,
        initial: request)
      return unsafe answer?.outValue
    }
  }

  /// A name of a parameter of at most so many characters; nil where the unit shortens none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ParameterIDName`.
  public func parameterName(
    _ id: AudioUnitParameterID, length: Int, scope: AudioUnitScope = kAudioUnitScope_Global
  ) -> String? {
    let request = unsafe AudioUnitParameterNameInfo(
      inID: id, inDesiredLength: Int32(clamping: length), outName: nil)
    let answer = unsafe try? property(
      kAudioUnitProperty_ParameterIDName, scope: scope, initial: request)
    return unsafe answer.flatMap { unsafe String(consumingCFString: $0.outName) }
  }

  /// The parameters that change when another does; empty where it is no meta parameter.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_DependentParameters`.
  public func dependents(
    ofParameter id: AudioUnitParameterID, scope: AudioUnitScope = kAudioUnitScope_Global
  ) -> [(scope: AudioUnitScope, id: AudioUnitParameterID)] {
    let found = try? propertyArray(
      kAudioUnitProperty_DependentParameters, scope: scope, element: id,
      of: AUDependentParameter.self)
    return (found ?? []).map { ($0.mScope, $0.mParameterID) }
  }

  /// The updates a second, and the seconds back, of a parameter that should be plotted; nil: none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ParameterHistoryInfo`.
  public func history(
    ofParameter id: AudioUnitParameterID
  ) -> (updatesPerSecond: Float, seconds: Float)? {
    let info = try? property(
      kAudioUnitProperty_ParameterHistoryInfo, element: id, as: AudioUnitParameterHistoryInfo.self)
    return info.map { ($0.updatesPerSecond, $0.historyDurationInSeconds) }
  }

  /// Ids of the parameters that matter most, at most so many; empty where the unit names none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ParametersForOverview`.
  public func overviewParameters(atMost count: Int) -> [AudioUnitParameterID] {
    let found = unsafe try? propertyArray(
      kAudioUnitProperty_ParametersForOverview, of: AudioUnitParameter.self, atMost: count)
    return unsafe (found ?? []).map { unsafe $0.mParameterID }
  }

  /// The mappings from MIDI messages to parameters; empty where the unit accepts no MIDI.
  ///
  /// Context: control. The corresponding property is
  /// `kAudioUnitProperty_AllParameterMIDIMappings`.
  public var midiMappings: [AUParameterMIDIMapping] {
    (try? propertyArray(
      kAudioUnitProperty_AllParameterMIDIMappings, of: AUParameterMIDIMapping.self)) ?? []
  }

  /// Adds a mapping of a message to a parameter.
  ///
  /// Context: control. The corresponding property is
  /// `kAudioUnitProperty_AddParameterMIDIMapping`.
  public func addMIDIMapping(_ mapping: AUParameterMIDIMapping) throws(AuricleError) {
    try setProperty(kAudioUnitProperty_AddParameterMIDIMapping, mapping)
  }

  /// Removes a mapping.
  ///
  /// Context: control. The corresponding property is
  /// `kAudioUnitProperty_RemoveParameterMIDIMapping`.
  public func removeMIDIMapping(_ mapping: AUParameterMIDIMapping) throws(AuricleError) {
    try setProperty(kAudioUnitProperty_RemoveParameterMIDIMapping, mapping)
  }

  /// Has the next MIDI message move a parameter; nil no longer waits for one.
  ///
  /// Context: control. The corresponding property is
  /// `kAudioUnitProperty_HotMapParameterMIDIMapping`.
  public func setHotMIDIMapping(_ mapping: AUParameterMIDIMapping?) throws(AuricleError) {
    let id = kAudioUnitProperty_HotMapParameterMIDIMapping
    if let mapping { try setProperty(id, mapping) } else { try removeProperty(id) }
  }
}
