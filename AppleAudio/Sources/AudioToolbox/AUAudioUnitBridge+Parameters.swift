// The parameters of a unit of version 2 as a tree.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AUPreset {
  /// The name, as the unit lends it.
  public var presetName: Unmanaged<CFString>? {
    get { auricleUnmanaged(__presetName) }
    set { __presetName = auricleField(newValue) }
  }
}

extension AudioUnitParameterInfo {
  /// The name of a unit that has no number.
  public var unitName: Unmanaged<CFString>? {
    get { auricleUnmanaged(__unitName) }
    set { __unitName = auricleField(newValue) }
  }
  /// The parameter's name.
  public var cfNameString: Unmanaged<CFString>? {
    get { auricleUnmanaged(__cfNameString) }
    set { __cfNameString = auricleField(newValue) }
  }
}

extension AUSamplerInstrumentData {
  /// An instrument of a file.
  public init(
    fileURL: Unmanaged<CFURL>, instrumentType: UInt8, bankMSB: UInt8, bankLSB: UInt8,
    presetID: UInt8
  ) {
    self.init()
    __fileURL = auricleField(fileURL)
    self.instrumentType = instrumentType
    self.bankMSB = bankMSB
    self.bankLSB = bankLSB
    self.presetID = presetID
  }
}

extension AUAudioUnitBridge {
  /// The parameters of all scopes that have some: a global one's address is its number.
  func makeTree() -> AUParameterTree {
    var nodes: [AUParameter] = []
    for scope in [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let count =
        scope == kAudioUnitScope_Global ? 1 : number(kAudioUnitProperty_ElementCount, scope) ?? 0
      for element in 0..<count {
        for id in identifiers(scope, element) {
          if let parameter = parameter(id, scope, element) { nodes.append(parameter) }
        }
      }
    }
    let tree = AUParameterTree(children: nodes)
    let unit = unit
    tree.implementorValueProvider = { parameter in
      var value: AUValue = 0
      let address = parameter.address
      AudioUnitGetParameter(
        unit, UInt32(truncatingIfNeeded: address), UInt32(address >> 56),
        UInt32(address >> 32 & 0xFF_FFFF), &value)
      return value
    }
    tree.implementorValueObserver = { parameter, value in
      let address = parameter.address
      AudioUnitSetParameter(
        unit, UInt32(truncatingIfNeeded: address), UInt32(address >> 56),
        UInt32(address >> 32 & 0xFF_FFFF), value, 0)
    }
    return tree
  }

  private func identifiers(_ scope: AudioUnitScope, _ element: UInt32) -> [AudioUnitParameterID] {
    var size: UInt32 = 0
    let property = kAudioUnitProperty_ParameterList
    guard AudioUnitGetPropertyInfo(unit, property, scope, element, &size, nil) == noErr, size >= 4
    else { return [] }
    var list = [AudioUnitParameterID](repeating: 0, count: Int(size) / 4)
    guard AudioUnitGetProperty(unit, property, scope, element, &list, &size) == noErr else {
      return []
    }
    return Array(list.prefix(Int(size) / 4))
  }

  private func parameter(_ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: UInt32)
    -> AUParameter?
  {
    var info = AudioUnitParameterInfo()
    var size = UInt32(MemoryLayout.size(ofValue: info))
    guard
      AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, scope, id, &info, &size) == noErr
    else { return nil }
    var name = withUnsafeBytes(of: info.name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if info.flags.contains(.flag_HasCFNameString), let text = info.cfNameString {
      name = String(describing: text.takeUnretainedValue())
      if info.flags.contains(.flag_CFNameRelease) { text.release() }
    }
    var strings: [String]?
    if info.unit == .indexed, scope == kAudioUnitScope_Global {
      strings = (object(kAudioUnitProperty_ParameterValueStrings, id) as? NSArray)?.map {
        String(describing: $0)
      }
    }
    let unitName =
      info.unit == .customUnit
      ? info.unitName.map { String(describing: $0.takeUnretainedValue()) } : nil
    let identifier = scope == kAudioUnitScope_Global ? String(id) : "\(scope)-\(element)-\(id)"
    return AUParameter(
      identifier: identifier, name: name, address: .auricle(id, scope, element), min: info.minValue,
      max: info.maxValue,
      unit: info.unit, unitName: unitName, flags: info.flags, valueStrings: strings,
      dependentParameters: nil)
  }
}
