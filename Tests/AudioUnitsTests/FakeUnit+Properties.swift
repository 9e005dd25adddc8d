// The properties of the fake unit.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

private func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
  unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
}

/// An array of strings, with a reference for the caller.
func makeArray(_ strings: [String]) -> CFArrayRef? {
  let values = unsafe strings.map { unsafe makeCFString($0).map { unsafe UnsafeRawPointer($0) } }
  return unsafe values.withUnsafeBufferPointer { buffer in
    unsafe CFArrayCreate(
      nil, UnsafeMutablePointer(mutating: buffer.baseAddress), buffer.count, nil)
  }
}

extension FakeUnit {
  /// Returns the value of a property; nil if the unit does not have it.
  func value(_ id: UInt32, _ scope: UInt32, _ element: UInt32) -> [UInt8]? {
    if let stored = bytes[id] { return stored }
    switch id {
    case kAudioUnitProperty_StreamFormat:
      return element == 0 ? formats[scope].map { AudioUnitsTests.bytes($0) } : nil
    case kAudioUnitProperty_MaximumFramesPerSlice:
      return AudioUnitsTests.bytes(maximumFrames)
    case kAuricleProperty_FailureReason:
      return failureReason.map { unsafe AudioUnitsTests.bytes(makeCFString($0)) }
    case kAudioUnitProperty_ParameterClumpName:
      return unsafe AudioUnitsTests.bytes(AudioUnitParameterIDName())
    case kAudioUnitProperty_PresentPreset where presentPreset >= 0:
      let preset = unsafe AUPreset(
        presetNumber: presentPreset, presetName: makeCFString("Preset \(presentPreset)"))
      return unsafe AudioUnitsTests.bytes(preset)
    default:
      return parameterValue(id, element)
    }
  }

  func setValue(
    _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> OSStatus {
    func load<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
      guard size == MemoryLayout<Value>.size else { return nil }
      return unsafe data?.loadUnaligned(as: type)
    }
    let wrong = kAudioUnitErr_InvalidPropertyValue
    switch id {
    case kAudioUnitProperty_StreamFormat:
      guard !isInitialized else { return kAudioUnitErr_Initialized }
      guard element == 0, formats[scope] != nil else { return kAudioUnitErr_InvalidElement }
      guard let format = load(AudioStreamBasicDescription.self) else { return wrong }
      guard format.mChannelsPerFrame <= 2 else { return kAudioUnitErr_FormatNotSupported }
      formats[scope] = format
    case kAudioUnitProperty_MaximumFramesPerSlice:
      guard let value = load(UInt32.self) else { return wrong }
      maximumFrames = value
    case kAudioUnitProperty_MakeConnection:
      guard let value = unsafe load(AudioUnitConnection.self) else { return wrong }
      guard element == 0 else { return kAudioUnitErr_InvalidElement }
      unsafe connection = value
      unsafe callback = AURenderCallbackStruct()
    case kAudioUnitProperty_SetRenderCallback:
      guard let value = unsafe load(AURenderCallbackStruct.self) else { return wrong }
      unsafe callback = value
      unsafe connection = AudioUnitConnection()
    case kAudioUnitProperty_PresentPreset:
      guard let value = unsafe load(AUPreset.self) else { return wrong }
      presentPreset = unsafe value.presetNumber
    default:
      guard writable.contains(id) else {
        return bytes[id] == nil ? kAudioUnitErr_InvalidProperty : kAudioUnitErr_PropertyNotWritable
      }
      bytes[id] = unsafe data.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: size)) }
    }
    return 0
  }

  /// Returns the info of a parameter: 0 with a CF name, 5 with a C name and its own unit, 7 with
  /// value names from 1 up, 9 with named points.
  private func parameterValue(_ id: UInt32, _ element: UInt32) -> [UInt8]? {
    switch (id, element) {
    case (kAudioUnitProperty_ParameterInfo, _):
      return parameterInfo(element)
    case (kAudioUnitProperty_ParameterValueStrings, 7):
      return unsafe AudioUnitsTests.bytes(makeArray(["Low", "Mid", "High"]))
    case (kAuricleProperty_ParameterSymbol, 9):
      return unsafe AudioUnitsTests.bytes(makeCFString("mode_port"))
    case (kAuricleProperty_ParameterValuePoints, 9):
      let points = [(Float(-1), "Off"), (0.5, "Half")].map {
        unsafe AudioUnitsTests.bytes(AuricleValuePoint(value: $0.0, name: makeCFString($0.1)))
      }
      return points.flatMap { $0 }
    default:
      return nil
    }
  }

  private func parameterInfo(_ id: UInt32) -> [UInt8]? {
    var info = unsafe AudioUnitParameterInfo()
    unsafe info.flags = 0xC000_0000
    unsafe info.maxValue = 1
    switch id {
    case 0:
      unsafe info.cfNameString = makeCFString("Gain")
      unsafe info.unit = kAudioUnitParameterUnit_Decibels
      unsafe info.flags |= 0x0800_0000 | 0x10
      unsafe (info.minValue, info.maxValue, info.defaultValue) = (-20, 20, 3)
    case 5:
      unsafe withUnsafeMutableBytes(of: &info.name) { buffer in
        unsafe buffer.copyBytes(from: "Widgets ü".utf8)
      }
      unsafe info.unit = kAudioUnitParameterUnit_CustomUnit
      unsafe info.unitName = makeCFString("widgets")
      unsafe info.flags |= 0x10 | 0x0040_0000 | 0x0010_0000
      unsafe info.clumpID = 3
    case 7:
      unsafe info.unit = kAudioUnitParameterUnit_Indexed
      unsafe (info.minValue, info.maxValue, info.defaultValue) = (1, 3, 2)
      unsafe info.flags = 0x4000_8000 | 0x0020_0000
    case 9:
      // A name of 52 bytes without an end.
      unsafe withUnsafeMutableBytes(of: &info.name) { buffer in
        unsafe buffer.copyBytes(from: repeatElement(UInt8(ascii: "x"), count: 52))
      }
    default: return nil
    }
    return unsafe AudioUnitsTests.bytes(info)
  }

  func clumpName(request: UnsafeMutableRawPointer?) -> [UInt8] {
    var answer = unsafe AudioUnitParameterIDName()
    if let request = unsafe request {
      unsafe answer = request.loadUnaligned(as: AudioUnitParameterIDName.self)
    }
    unsafe answer.outName = makeCFString("Clump \(answer.inID)")
    return unsafe AudioUnitsTests.bytes(answer)
  }
}
