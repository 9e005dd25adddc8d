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

/// Makes a converter with one of some codecs; between linear formats there is none.
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
/// Context: control; not from the procedure that gives it input.
@c @implementation
public func AudioConverterDispose(_ converter: AudioConverterRef?) -> OSStatus {
  unsafe withConverter(converter) { _ in
    if let converter = unsafe converter { unsafe Converters.dispose(converter) }
    return noErr
  }
}

/// Forgets sound and the end of the stream; settings stay.
///
/// Context: control; not from the procedure that gives it input.
@c @implementation
public func AudioConverterReset(_ converter: AudioConverterRef?) -> OSStatus {
  unsafe withConverter(converter) { (open) throws(AuricleError) in
    try open.converter.reset()
    return noErr
  }
}

/// Makes a converter between linear formats. Those of codecs are to be made here as well.
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
  guard source.mFormatID == kAudioFormatLinearPCM, destination.mFormatID == kAudioFormatLinearPCM
  else { return kAudioConverterErr_FormatNotSupported }
  do throws(AuricleError) {
    let converter = try PCMConverter(from: source, to: destination)
    let isUnbuffered = options & kAudioConverterOption_Unbuffered != 0
    guard !isUnbuffered || !converter.changesRate else {
      return kAudioConverterErr_FormatNotSupported
    }
    unsafe result.pointee = Converters.keep(
      OpenConverter(converter, isUnbuffered: isUnbuffered))
    return noErr
  } catch {
    return error.statusForC
  }
}
