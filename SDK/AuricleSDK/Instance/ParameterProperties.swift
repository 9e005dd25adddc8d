// The properties of parameters: lists, descriptions, names, texts, dependencies.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension UnitProperty {
  /// Rows of the properties of parameters.
  static let ofParameters: [AudioUnitPropertyID: UnitProperty] = unsafe [
    kAudioUnitProperty_ParameterList: UnitProperty(
      .any, .unchecked,
      info: { PropertyInfo(size: UInt32($0.unit.table.parameterCount($0.scope) * 4)) },
      read: { place, data, _ in
        for (index, parameter) in place.unit.parameters(of: place.scope).enumerated() {
          unsafe data.storeBytes(of: parameter.id, toByteOffset: index * 4, as: UInt32.self)
        }
        return 0
      }),
    kAudioUnitProperty_ParameterInfo: ofOne(AudioUnitParameterInfo.self) { unit, parameter in
      unsafe unit.info(of: parameter)
    },
    kAudioUnitProperty_ParameterValueStrings: ofOne(
      CFArrayRef?.self, isThere: { !$0.valueNames.isEmpty },
      get: { unsafe makeCFArray($1.valueNames) }),
    kAudioUnitProperty_ParameterHistoryInfo: ofOne(
      AudioUnitParameterHistoryInfo.self, isThere: { $0.history != nil },
      get: { _, parameter in
        AudioUnitParameterHistoryInfo(
          updatesPerSecond: parameter.history?.updatesPerSecond ?? 0,
          historyDurationInSeconds: parameter.history?.seconds ?? 0)
      }),
    kAuricleProperty_ParameterSymbol: ofOne(
      CFStringRef?.self, isThere: { $0.symbol != nil },
      get: { unsafe makeCFString($1.symbol ?? "") }),
    kAuricleProperty_ParameterValuePoints: array(
      of: AuricleValuePoint.self,
      count: { $0.valuePoints.count },
      get: { parameter, index in
        let point = parameter.valuePoints[index]
        return unsafe AuricleValuePoint(value: point.value, name: makeCFString(point.name))
      }),
    kAuricleProperty_ParameterOpenEnds: ofOne(
      UInt32.self, isThere: { $0.openEnds != 0 }, get: { $1.openEnds }),
    kAudioUnitProperty_DependentParameters: array(
      of: AUDependentParameter.self,
      count: { $0.dependents.count },
      get: {
        AUDependentParameter(mScope: kAudioUnitScope_Global, mParameterID: $0.dependents[$1])
      }),
    kAudioUnitProperty_ParameterStringFromValue: question(
      AudioUnitParameterStringFromValue.self
    ) { place, request in
      guard
        let parameter = unsafe place.unit.parameterDefinition(
          request.pointee.inParamID, place.scope)
      else { return kAudioUnitErr_InvalidParameter }
      var value: Float = 0
      if let asked = unsafe request.pointee.inValue {
        value = unsafe asked.pointee
      } else {
        let status = unsafe place.unit.parameter(
          parameter.id, place.scope, place.element, &value)
        guard status == 0 else { return status }
      }
      unsafe request.pointee.outString = makeCFString(place.unit.text(of: value, parameter))
      return 0
    },
    kAudioUnitProperty_ParameterValueFromString: question(
      AudioUnitParameterValueFromString.self
    ) { place, request in
      guard
        let parameter = unsafe place.unit.parameterDefinition(
          request.pointee.inParamID, place.scope)
      else { return kAudioUnitErr_InvalidParameter }
      guard let text = unsafe String(cfString: request.pointee.inString),
        let value = place.unit.value(of: text, parameter)
      else { return kAudioUnitErr_InvalidParameterValue }
      unsafe request.pointee.outValue = value
      return 0
    },
    kAudioUnitProperty_ParameterIDName: question(AudioUnitParameterNameInfo.self) {
      place, request in
      guard
        let parameter = unsafe place.unit.parameterDefinition(request.pointee.inID, place.scope)
      else { return kAudioUnitErr_InvalidParameter }
      unsafe request.pointee.outName = makeCFString(
        shortened(parameter.name, to: request.pointee.inDesiredLength))
      return 0
    },
    kAudioUnitProperty_ParameterClumpName: question(
      AudioUnitParameterNameInfo.self, exists: { !$0.definition.clumpNames.isEmpty }
    ) { place, request in
      // Clump 0 is the system's.
      guard unsafe request.pointee.inID != kAudioUnitClumpID_System,
        let name = unsafe place.unit.definition.clumpNames[request.pointee.inID]
      else { return kAudioUnitErr_InvalidPropertyValue }
      unsafe request.pointee.outName = makeCFString(
        shortened(name, to: request.pointee.inDesiredLength))
      return 0
    },
  ]

  /// Returns a name of at most `length` characters; of any length if that is not positive.
  static func shortened(_ name: String, to length: Int32) -> String {
    guard length > 0, name.count > Int(length) else { return name }
    // Vowels within words go first, as engineers abbreviate; then the end.
    var characters = Array(name)
    var index = characters.count - 1
    while index > 0, characters.count > Int(length) {
      let isInside = characters[index - 1] != " " && "aeiou".contains(characters[index])
      if isInside || characters[index] == " " { characters.remove(at: index) }
      index -= 1
    }
    return String(characters.prefix(Int(length)))
  }

  /// Returns the declaration of the parameter whose id is the element.
  private static func parameter(_ place: PropertyPlace) -> ParameterDefinition? {
    place.unit.parameterDefinition(place.element, place.scope)
  }

  /// Makes a property whose element is a parameter's id.
  private static func ofOne<Value>(
    _ type: Value.Type, isThere: @escaping @Sendable (ParameterDefinition) -> Bool = { _ in true },
    get: @escaping @Sendable (UnitInstance, ParameterDefinition) -> Value
  ) -> UnitProperty {
    unsafe UnitProperty(
      .any, .unchecked,
      info: { place in
        guard let parameter = parameter(place) else {
          return .error(kAudioUnitErr_InvalidParameter)
        }
        return isThere(parameter)
          ? PropertyInfo(size: UInt32(MemoryLayout<Value>.size))
          : .error(kAudioUnitErr_PropertyNotInUse)
      },
      read: { place, data, _ in
        guard let parameter = parameter(place) else { return kAudioUnitErr_InvalidParameter }
        unsafe data.initializeMemory(as: Value.self, to: get(place.unit, parameter))
        return 0
      })
  }

  /// Makes a property whose element is a parameter's id and whose value is an array.
  private static func array<Value>(
    of type: Value.Type, count: @escaping @Sendable (ParameterDefinition) -> Int,
    get: @escaping @Sendable (ParameterDefinition, Int) -> Value
  ) -> UnitProperty {
    unsafe UnitProperty(
      .any, .unchecked,
      info: { place in
        guard let parameter = parameter(place) else {
          return .error(kAudioUnitErr_InvalidParameter)
        }
        let count = count(parameter)
        return count == 0
          ? .error(kAudioUnitErr_PropertyNotInUse)
          : PropertyInfo(size: UInt32(count * MemoryLayout<Value>.stride))
      },
      read: { place, data, _ in
        guard let parameter = parameter(place) else { return kAudioUnitErr_InvalidParameter }
        for index in 0..<count(parameter) {
          unsafe (data + index * MemoryLayout<Value>.stride).initializeMemory(
            as: Value.self, to: get(parameter, index))
        }
        return 0
      })
  }

  /// Makes a property whose memory passes a request to the unit and returns the answer.
  private static func question<Request>(
    _ type: Request.Type, exists: @escaping @Sendable (UnitInstance) -> Bool = { _ in true },
    answer: @escaping @Sendable (PropertyPlace, UnsafeMutablePointer<Request>) -> OSStatus
  ) -> UnitProperty {
    unsafe UnitProperty(
      .any, isQuestion: true,
      info: { place in
        exists(place.unit)
          ? PropertyInfo(size: UInt32(MemoryLayout<Request>.size))
          : .error(kAudioUnitErr_InvalidProperty)
      },
      read: { place, data, size in
        // A truncated request has no room for the answer.
        guard Int(size) >= MemoryLayout<Request>.size else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        return unsafe answer(place, data.assumingMemoryBound(to: Request.self))
      })
  }
}
