// The functions of AudioConverter.h that make and end converters.
// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioTypes
public import CAudioToolbox

/// Makes a converter.
///
/// Context: control.
@c @implementation
public func AudioConverterNew(
  _ sourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ destinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ converter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
  unsafe make(sourceFormat, destinationFormat, options: 0, converter)
}

/// Makes a converter with the first of some codecs that accepts its formats; between linear formats
/// there is none.
///
/// Context: control.
@c @implementation
public func AudioConverterNewSpecific(
  _ sourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ destinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ classDescriptionCount: UInt32,
  _ classDescriptions: UnsafePointer<AudioClassDescription>?,
  _ converter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
  guard unsafe classDescriptionCount == 0 || classDescriptions != nil else {
    return kAudio_ParamError
  }
  let isLinear =
    unsafe sourceFormat?.pointee.mFormatID == kAudioFormatLinearPCM
    && destinationFormat?.pointee.mFormatID == kAudioFormatLinearPCM
  if classDescriptionCount > 0, !isLinear, let source = unsafe sourceFormat?.pointee,
    let destination = unsafe destinationFormat?.pointee, let list = unsafe classDescriptions
  {
    let isEncoder = source.mFormatID == kAudioFormatLinearPCM
    let wanted = AudioClassDescription(
      mType: isEncoder ? kAudioEncoderComponentType : kAudioDecoderComponentType,
      mSubType: isEncoder ? destination.mFormatID : source.mFormatID,
      mManufacturer: kAudioUnitManufacturer_Apple)
    let isListed = (0..<Int(classDescriptionCount)).contains { index in
      let supplied = unsafe list[index]
      return supplied.mType == wanted.mType && supplied.mSubType == wanted.mSubType
        && (supplied.mManufacturer == wanted.mManufacturer || supplied.mManufacturer == 0)
    }
    guard isListed else {
      unsafe converter?.pointee = nil
      return kAudioConverterErr_FormatNotSupported
    }
  }
  return unsafe make(sourceFormat, destinationFormat, options: 0, converter)
}

/// Makes a converter with options.
///
/// Context: control.
@c @implementation
public func AudioConverterNewWithOptions(
  _ sourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ destinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ options: AudioConverterOptions, _ converter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
  guard options & ~kAudioConverterOption_Unbuffered == 0 else { return kAudio_ParamError }
  return unsafe make(sourceFormat, destinationFormat, options: options, converter)
}

/// Ends a converter; its handle is refused from then on.
///
/// Context: control; not from its input procedure.
@c @implementation
public func AudioConverterDispose(_ converter: AudioConverterRef?) -> OSStatus {
  unsafe withConverter(converter) { _ in
    if let converter = unsafe converter { unsafe Converters.dispose(converter) }
    return noErr
  }
}

/// Forgets sound and the end of the stream; settings stay.
///
/// Context: control; not from its input procedure.
@c @implementation
public func AudioConverterReset(_ converter: AudioConverterRef?) -> OSStatus {
  unsafe withConverter(converter) { (open) throws(AuricleError) in
    try open.reset()
    return noErr
  }
}

/// Makes a converter between linear formats, or between such a one and packets.
private func make(
  _ sourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ destinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
  options: AudioConverterOptions, _ result: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
  guard let result = unsafe result else { return kAudio_ParamError }
  unsafe result.pointee = nil
  guard let source = unsafe sourceFormat?.pointee,
    let destination = unsafe destinationFormat?.pointee
  else { return kAudio_ParamError }
  let isUnbuffered = options & kAudioConverterOption_Unbuffered != 0
  do throws(AuricleError) {
    let open: OpenConverter
    if source.mFormatID == kAudioFormatLinearPCM, destination.mFormatID == kAudioFormatLinearPCM {
      open = OpenConverter(
        try PCMConverter(from: source, to: destination), isUnbuffered: isUnbuffered)
    } else {
      let packets = try PacketConverter(from: source, to: destination)
      let compressed = packets.isEncoding ? packets.destination : packets.source
      // Without memory of earlier packets, packets are frames.
      guard !isUnbuffered || compressed.mFramesPerPacket == 1 && compressed.mBytesPerPacket > 0
      else { return kAudioConverterErr_FormatNotSupported }
      open = OpenConverter(packets, isUnbuffered: isUnbuffered)
    }
    guard !isUnbuffered || !open.converter.changesRate else {
      return kAudioConverterErr_FormatNotSupported
    }
    unsafe result.pointee = Converters.keep(open)
    return noErr
  } catch {
    return error.statusForC
  }
}
