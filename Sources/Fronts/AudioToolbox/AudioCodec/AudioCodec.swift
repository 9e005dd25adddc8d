// The functions of AudioCodec.h: calls of the methods of a codec.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import CodecComponents

/// Calls the method of a codec; a status where the handle is none of a codec, or it has no such method.
private func call<Procedure>(
  _ codec: AudioComponentInstance?, _ selector: Int16, _ type: Procedure.Type,
  _ body: (Procedure, UnsafeMutableRawPointer) -> OSStatus
) -> OSStatus {
  guard let instance = unsafe Instance(codec), let component = unsafe instance.component,
    unsafe CodecComponentSource.isCodec(component.pointee.description.componentType)
  else { return kAudio_ParamError }
  guard let method = unsafe instance.method(selector, as: type) else {
    return kAudio_UnimplementedError
  }
  return unsafe body(method, instance.plugIn)
}

/// Returns the size of a property in bytes, and whether it can be set.
///
/// Context: control.
@c @implementation
public func AudioCodecGetPropertyInfo(
  _ codec: AudioCodec?, _ property: AudioCodecPropertyID, _ size: UnsafeMutablePointer<UInt32>?,
  _ isWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe call(codec, kAudioCodecGetPropertyInfoSelect, AudioCodecGetPropertyInfoProc.self) {
    unsafe $0($1, property, size, isWritable)
  }
}

/// Reads a property.
///
/// Context: control.
@c @implementation
public func AudioCodecGetProperty(
  _ codec: AudioCodec?, _ property: AudioCodecPropertyID, _ size: UnsafeMutablePointer<UInt32>?,
  _ data: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe call(codec, kAudioCodecGetPropertySelect, AudioCodecGetPropertyProc.self) {
    unsafe $0($1, property, size, data)
  }
}

/// Sets a property, of most before the codec is initialized.
///
/// Context: control.
@c @implementation
public func AudioCodecSetProperty(
  _ codec: AudioCodec?, _ property: AudioCodecPropertyID, _ size: UInt32,
  _ data: UnsafeRawPointer?
) -> OSStatus {
  unsafe call(codec, kAudioCodecSetPropertySelect, AudioCodecSetPropertyProc.self) {
    unsafe $0($1, property, size, data)
  }
}

/// Makes a codec ready; omitted arguments were set as properties.
///
/// Context: control.
@c @implementation
public func AudioCodecInitialize(
  _ codec: AudioCodec?, _ inputFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ outputFormat: UnsafePointer<AudioStreamBasicDescription>?, _ cookie: UnsafeRawPointer?,
  _ cookieSize: UInt32
) -> OSStatus {
  unsafe call(codec, kAudioCodecInitializeSelect, AudioCodecInitializeProc.self) {
    unsafe $0($1, inputFormat, outputFormat, cookie, cookieSize)
  }
}

/// Undoes `AudioCodecInitialize`; formats and cookie stay.
///
/// Context: control.
@c @implementation
public func AudioCodecUninitialize(_ codec: AudioCodec?) -> OSStatus {
  unsafe call(codec, kAudioCodecUninitializeSelect, AudioCodecUninitializeProc.self) {
    unsafe $0($1)
  }
}

/// Puts data in, as much as there is room for; none ends the stream.
///
/// Context: control.
@c @implementation
public func AudioCodecAppendInputData(
  _ codec: AudioCodec?, _ data: UnsafeRawPointer?, _ dataSize: UnsafeMutablePointer<UInt32>?,
  _ packets: UnsafeMutablePointer<UInt32>?,
  _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  unsafe call(codec, kAudioCodecAppendInputDataSelect, AudioCodecAppendInputDataProc.self) {
    unsafe $0($1, data, dataSize, packets, descriptions)
  }
}

/// Returns packets, as many as are there and fit.
///
/// Context: control.
@c @implementation
public func AudioCodecProduceOutputPackets(
  _ codec: AudioCodec?, _ data: UnsafeMutableRawPointer?,
  _ dataSize: UnsafeMutablePointer<UInt32>?, _ packets: UnsafeMutablePointer<UInt32>?,
  _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ status: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe call(codec, kAudioCodecProduceOutputDataSelect, AudioCodecProduceOutputPacketsProc.self) {
    unsafe $0($1, data, dataSize, packets, descriptions, status)
  }
}

/// Puts data of a list in.
///
/// Context: control.
@c @implementation
public func AudioCodecAppendInputBufferList(
  _ codec: AudioCodec?, _ list: UnsafePointer<AudioBufferList>?,
  _ packets: UnsafeMutablePointer<UInt32>?,
  _ descriptions: UnsafePointer<AudioStreamPacketDescription>?,
  _ bytesConsumed: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe call(
    codec, kAudioCodecAppendInputBufferListSelect, AudioCodecAppendInputBufferListProc.self
  ) { unsafe $0($1, list, packets, descriptions, bytesConsumed) }
}

/// Returns packets in a list.
///
/// Context: control.
@c @implementation
public func AudioCodecProduceOutputBufferList(
  _ codec: AudioCodec?, _ list: UnsafeMutablePointer<AudioBufferList>?,
  _ packets: UnsafeMutablePointer<UInt32>?,
  _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ status: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe call(
    codec, kAudioCodecProduceOutputBufferListSelect, AudioCodecProduceOutputBufferListProc.self
  ) { unsafe $0($1, list, packets, descriptions, status) }
}

/// Forgets all data; formats and cookie stay.
///
/// Context: control.
@c @implementation
public func AudioCodecReset(_ codec: AudioCodec?) -> OSStatus {
  unsafe call(codec, kAudioCodecResetSelect, AudioCodecResetProc.self) { unsafe $0($1) }
}
