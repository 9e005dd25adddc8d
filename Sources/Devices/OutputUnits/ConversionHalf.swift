// One direction of an output unit: a converter between a client's format and the device's.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox

/// A unit of the SDK that converts, driven through the interface that every unit has.
///
/// Element 0 of it is element 0 or 1 of the output unit.
///
/// @unchecked Sendable because a unit's interface may be used from any thread that the contract allows.
@safe final class ConversionHalf: @unchecked Sendable {
  /// Whether it records: element 1.
  let isInput: Bool
  private let plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>
  private let renderMethod: AudioUnitRenderProc
  private let getMethod: AudioUnitGetPropertyProc
  private let setMethod: AudioUnitSetPropertyProc
  private let infoMethod: AudioUnitGetPropertyInfoProc

  /// Makes one; nil where there is no memory for it.
  init?(_ description: AudioComponentDescription, isInput: Bool) {
    self.isInput = isInput
    let settings = ConversionSettings()
    var definition = settings.definition()
    if !isInput {
      definition.parameters = [
        ParameterDefinition(
          id: kHALOutputParam_Volume, name: "Volume", unit: kAudioUnitParameterUnit_LinearGain,
          range: 0...1, defaultValue: 1)
      ]
    }
    var description = description
    guard let plugIn = unsafe settings.makeUnit(definition, &description),
      let lookup = unsafe plugIn.pointee.Lookup
    else { return nil }
    unsafe self.plugIn = unsafe plugIn
    func method<Procedure>(_ selector: Int16, _ type: Procedure.Type) -> Procedure? {
      guard let found = unsafe lookup(selector) else { return nil }
      return unsafe unsafeBitCast(found, to: type)
    }
    guard let render = unsafe method(kAudioUnitRenderSelect, AudioUnitRenderProc.self),
      let get = unsafe method(kAudioUnitGetPropertySelect, AudioUnitGetPropertyProc.self),
      let set = unsafe method(kAudioUnitSetPropertySelect, AudioUnitSetPropertyProc.self),
      let info = unsafe method(kAudioUnitGetPropertyInfoSelect, AudioUnitGetPropertyInfoProc.self)
    else { return nil }
    unsafe renderMethod = unsafe render
    unsafe getMethod = unsafe get
    unsafe setMethod = unsafe set
    unsafe infoMethod = unsafe info
  }

  deinit { _ = unsafe plugIn.pointee.Close?(plugIn) }

  /// A method by its selector; nil where it has none.
  func method<Procedure>(_ selector: Int16, _ type: Procedure.Type) -> Procedure? {
    guard let found = unsafe plugIn.pointee.Lookup?(selector) else { return nil }
    return unsafe unsafeBitCast(found, to: type)
  }

  /// The first argument of its methods.
  var object: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(plugIn) }

  /// Opens with the handle that its listeners and callbacks receive.
  func open(_ handle: AudioUnitHandle?) -> OSStatus {
    unsafe plugIn.pointee.Open?(plugIn, handle) ?? kAudio_UnimplementedError
  }

  func initialize() -> OSStatus {
    unsafe method(kAudioUnitInitializeSelect, AudioUnitInitializeProc.self)?(object)
      ?? kAudio_UnimplementedError
  }

  func uninitialize() {
    _ = unsafe method(kAudioUnitUninitializeSelect, AudioUnitUninitializeProc.self)?(object)
  }

  func reset(_ scope: AudioUnitScope) -> OSStatus {
    unsafe method(kAudioUnitResetSelect, AudioUnitResetProc.self)?(object, scope, 0)
      ?? kAudio_UnimplementedError
  }

  func info(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope,
    _ size: UnsafeMutablePointer<UInt32>?, _ isWritable: UnsafeMutablePointer<Bool>?
  ) -> OSStatus {
    unsafe infoMethod(object, property, scope, 0, size, isWritable)
  }

  func get(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ data: UnsafeMutableRawPointer?,
    _ size: UnsafeMutablePointer<UInt32>?
  ) -> OSStatus {
    unsafe getMethod(object, property, scope, 0, data, size)
  }

  @discardableResult func set(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ data: UnsafeRawPointer?,
    _ size: UInt32
  ) -> OSStatus {
    unsafe setMethod(object, property, scope, 0, data, size)
  }

  /// Sets a plain value.
  @discardableResult func set<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, value: Value
  ) -> OSStatus {
    unsafe withUnsafeBytes(of: value) { bytes in
      unsafe set(property, scope, bytes.baseAddress, UInt32(bytes.count))
    }
  }

  /// The format of a side.
  func format(_ scope: AudioUnitScope) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    _ = unsafe get(kAudioUnitProperty_StreamFormat, scope, &format, &size)
    return format
  }

  /// The side that the client sets.
  var clientScope: AudioUnitScope { isInput ? kAudioUnitScope_Output : kAudioUnitScope_Input }
  /// The side that follows the device.
  var deviceScope: AudioUnitScope { isInput ? kAudioUnitScope_Input : kAudioUnitScope_Output }

  /// Renders. Context: the device's thread. The door out of checked code: the converting unit's method.
  @_noLocks func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32, _ buffers: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let (method, object) = unsafe (renderMethod, object)
    return unsafe _unsafePerformance { unsafe method(object, flags, time, 0, frames, buffers) }
  }
}
