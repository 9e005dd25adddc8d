// The C interface of a codec: an object with methods for the selectors of AudioCodec.h.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// The record that the pointer to a codec points at.
@unsafe struct CodecPlugIn {
  private var interface: AudioComponentPlugInInterface
  private var codec: Unmanaged<CodecInstance>

  /// Makes a codec, not opened.
  static func make(
    _ id: AudioFormatID, isEncoder: Bool
  ) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    let made = UnsafeMutablePointer<CodecPlugIn>.allocate(capacity: 1)
    unsafe made.initialize(
      to: CodecPlugIn(
        interface: AudioComponentPlugInInterface(
          Open: { _, _ in noErr },
          Close: { plugIn in
            guard let plugIn = unsafe plugIn?.assumingMemoryBound(to: CodecPlugIn.self) else {
              return kAudio_ParamError
            }
            unsafe plugIn.pointee.codec.release()
            unsafe plugIn.deallocate()
            return noErr
          },
          Lookup: { selector in unsafe CodecPlugIn.method(selector) }, reserved: nil),
        codec: Unmanaged.passRetained(CodecInstance(id, isEncoder: isEncoder))))
    return unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(
      to: AudioComponentPlugInInterface.self)
  }

  /// Calls a body with the codec behind a pointer.
  static func with(
    _ plugIn: UnsafeMutableRawPointer?,
    _ body: (CodecInstance) throws(AuricleError) -> OSStatus
  ) -> OSStatus {
    guard let plugIn = unsafe plugIn?.assumingMemoryBound(to: CodecPlugIn.self) else {
      return kAudio_ParamError
    }
    let codec = unsafe plugIn.pointee.codec.takeUnretainedValue()
    do throws(AuricleError) { return try body(codec) } catch {
      return error.status == 0 ? kAudioCodecUnspecifiedError : error.status
    }
  }

  private static func method(_ selector: Int16) -> AudioComponentMethod? {
    switch selector {
    case kAudioCodecGetPropertyInfoSelect: return unsafe erased(getPropertyInfo)
    case kAudioCodecGetPropertySelect: return unsafe erased(getProperty)
    case kAudioCodecSetPropertySelect: return unsafe erased(setProperty)
    case kAudioCodecInitializeSelect: return unsafe erased(initialize)
    case kAudioCodecUninitializeSelect: return unsafe erased(uninitialize)
    case kAudioCodecAppendInputDataSelect: return unsafe erased(append)
    case kAudioCodecProduceOutputDataSelect: return unsafe erased(produce)
    case kAudioCodecResetSelect: return unsafe erased(reset)
    case kAudioCodecAppendInputBufferListSelect: return unsafe erased(appendList)
    case kAudioCodecProduceOutputBufferListSelect: return unsafe erased(produceList)
    default: return nil
    }
  }

  private static func erased<Procedure>(_ procedure: Procedure) -> AudioComponentMethod {
    unsafe unsafeBitCast(procedure, to: AudioComponentMethod.self)
  }

  private static let getPropertyInfo: AudioCodecGetPropertyInfoProc = {
    plugIn, property, size, isWritable in
    unsafe with(plugIn) { codec in
      let value = codec.value(of: property, nil)
      guard value.status == noErr else { return value.status }
      unsafe size?.pointee = UInt32(value.bytes.count)
      unsafe isWritable?.pointee = codec.isWritable(property)
      return noErr
    }
  }

  private static let getProperty: AudioCodecGetPropertyProc = { plugIn, property, size, data in
    unsafe with(plugIn) { codec in
      guard let size = unsafe size, let data = unsafe data else { return kAudio_ParamError }
      let supplied = unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(size.pointee)))
      return unsafe codec.value(of: property, supplied).write(to: data, size)
    }
  }

  private static let setProperty: AudioCodecSetPropertyProc = { plugIn, property, size, data in
    unsafe with(plugIn) { (codec) throws(AuricleError) in
      guard unsafe data != nil || size == 0 else { return kAudio_ParamError }
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
      return try codec.set(property, bytes)
    }
  }

  private static let initialize: AudioCodecInitializeProc = { plugIn, input, output, cookie, size in
    unsafe with(plugIn) { (codec) throws(AuricleError) in
      guard unsafe cookie != nil || size == 0 else { return kAudio_ParamError }
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: cookie, count: Int(size)))
      return unsafe try codec.initialize(input?.pointee, output?.pointee, cookie: bytes)
    }
  }

  private static let uninitialize: AudioCodecUninitializeProc = { plugIn in
    unsafe with(plugIn) { codec in codec.uninitialize() }
  }

  private static let reset: AudioCodecResetProc = { plugIn in
    unsafe with(plugIn) { (codec) throws(AuricleError) in try codec.reset() }
  }

  private static let append: AudioCodecAppendInputDataProc = {
    plugIn, data, size, packets, descriptions in
    unsafe with(plugIn) { codec in
      guard let size = unsafe size, let packets = unsafe packets else { return kAudio_ParamError }
      guard unsafe data != nil || size.pointee == 0 else { return kAudio_ParamError }
      return unsafe codec.append(
        UnsafeRawBufferPointer(start: data, count: Int(size.pointee)), size, packets, descriptions)
    }
  }

  private static let appendList: AudioCodecAppendInputBufferListProc = {
    plugIn, list, packets, descriptions, consumed in
    unsafe with(plugIn) { codec in
      guard let list = unsafe list?.pointee, let packets = unsafe packets,
        list.mNumberBuffers == 1
      else { return kAudio_ParamError }
      var size = unsafe list.mBuffers.mDataByteSize
      guard unsafe list.mBuffers.mData != nil || size == 0 else { return kAudio_ParamError }
      let data = unsafe UnsafeRawBufferPointer(start: list.mBuffers.mData, count: Int(size))
      let status = unsafe codec.append(data, &size, packets, descriptions)
      unsafe consumed?.pointee = size
      return status
    }
  }

  private static let produce: AudioCodecProduceOutputPacketsProc = {
    plugIn, data, size, packets, descriptions, status in
    unsafe with(plugIn) { codec in
      guard let data = unsafe data, let size = unsafe size, let packets = unsafe packets,
        let status = unsafe status
      else { return kAudio_ParamError }
      return unsafe codec.produce(data, size, packets, descriptions, status)
    }
  }

  private static let produceList: AudioCodecProduceOutputBufferListProc = {
    plugIn, list, packets, descriptions, status in
    unsafe with(plugIn) { codec in
      guard let list = unsafe list, unsafe list.pointee.mNumberBuffers == 1,
        let data = unsafe list.pointee.mBuffers.mData, let packets = unsafe packets,
        let status = unsafe status
      else { return kAudio_ParamError }
      return unsafe codec.produce(
        data, &list.pointee.mBuffers.mDataByteSize, packets, descriptions, status)
    }
  }
}
