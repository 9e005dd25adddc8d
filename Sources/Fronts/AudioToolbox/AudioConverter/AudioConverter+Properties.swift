// The functions of AudioConverter.h that read and set properties.
// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioFormats
import AudioTypes
public import CAudioToolbox
import CodecSettings
import RealtimeSupport

/// Returns the size of a property in bytes, and whether it can be set.
///
/// Context: control; also from the input procedure.
@c @implementation
public func AudioConverterGetPropertyInfo(
  _ converter: AudioConverterRef?, _ property: AudioConverterPropertyID,
  _ size: UnsafeMutablePointer<UInt32>?, _ isWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  guard let open = unsafe Converters.converter(converter) else { return kAudio_ParamError }
  let answer = answer(property, open, nil)
  guard answer.status == noErr else { return answer.status }
  unsafe size?.pointee = UInt32(answer.byteCount)
  unsafe isWritable?.pointee =
    writableProperties.contains(property) || isPacketWritable(property, open)
  return noErr
}

/// Reads a property.
///
/// Context: control; also from the input procedure.
@c @implementation
public func AudioConverterGetProperty(
  _ converter: AudioConverterRef?, _ property: AudioConverterPropertyID,
  _ size: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let open = unsafe Converters.converter(converter), let size = unsafe size,
    let data = unsafe data
  else { return kAudio_ParamError }
  let supplied = unsafe size.pointee >= 4 ? data.loadUnaligned(as: UInt32.self) : nil
  return unsafe answer(property, open, supplied).write(to: data, size)
}

/// Sets a property. Where it changes the way of sound, frames inside the converter are lost.
///
/// Context: control; not from the input procedure.
@c @implementation
public func AudioConverterSetProperty(
  _ converter: AudioConverterRef?, _ property: AudioConverterPropertyID, _ size: UInt32,
  _ data: UnsafeRawPointer?
) -> OSStatus {
  unsafe withConverter(converter) { (open) throws(AuricleError) in
    guard let value = unsafe PropertySpecifier(data, size) else { return kAudio_ParamError }
    guard property == kAudioConverterPropertySettings else { return try set(property, open, value) }
    return try setSettings(open, value) { (code, number) throws(AuricleError) in
      try set(code, open, number)
    }
  }
}

/// The value of a property, whichever part has it.
private func answer(
  _ property: AudioConverterPropertyID, _ open: OpenConverter, _ supplied: UInt32?
) -> PropertyAnswer {
  if property == kAudioConverterPropertySettings { return .settings(settingLists(open)) }
  return packetValue(of: property, open, supplied) ?? value(of: property, open.converter, supplied)
}

/// Sets a property of the part that has it.
private func set(
  _ property: AudioConverterPropertyID, _ open: OpenConverter, _ value: PropertySpecifier
) throws(AuricleError) -> OSStatus {
  try setPackets(property, open, value) ?? set(property, open.converter, value)
}

private let writableProperties: Set<AudioConverterPropertyID> = [
  kAudioConverterSampleRateConverterAlgorithm, kAudioConverterSampleRateConverterComplexity,
  kAudioConverterSampleRateConverterQuality, kAudioConverterPrimeMethod,
  kAudioConverterChannelMap, kAudioConverterInputChannelLayout,
  kAudioConverterOutputChannelLayout, kAudioConverterPropertyPerformDownmix,
  kAudioConverterPropertyChannelMixMap, kAudioConverterPropertyBitDepthHint,
  kAudioConverterPropertyDithering, kAudioConverterPropertyDitherBitDepth,
  kAudioConverterPropertySettings,
]

/// The value of a property; `supplied` is the number at its destination.
private func value(
  of property: AudioConverterPropertyID, _ converter: PCMConverter, _ supplied: UInt32?
) -> PropertyAnswer {
  let settings = converter.settings
  switch property {
  case kAudioConverterPropertyMinimumInputBufferSize,
    kAudioConverterPropertyMaximumInputPacketSize:
    return .of(converter.source.mBytesPerPacket)
  case kAudioConverterPropertyMinimumOutputBufferSize,
    kAudioConverterPropertyMaximumOutputPacketSize:
    return .of(converter.destination.mBytesPerPacket)
  case kAudioConverterPropertyCalculateInputBufferSize,
    kAudioConverterPropertyCalculateOutputBufferSize:
    return size(property, converter, supplied ?? 0)
  case kAudioConverterSampleRateConverterAlgorithm, kAudioConverterSampleRateConverterComplexity:
    return .of(settings.complexity.rawValue)
  case kAudioConverterSampleRateConverterQuality: return .of(settings.quality)
  case kAudioConverterSampleRateConverterInitialPhase: return .of(0.0)
  case kAudioConverterPrimeMethod: return .of(settings.primeMethod.rawValue)
  case kAudioConverterPrimeInfo:
    let reach = UInt32(converter.reach)
    return .of(AudioConverterPrimeInfo(leadingFrames: reach, trailingFrames: reach))
  case kAudioConverterChannelMap: return .whole(converter.channelMap)
  case kAudioConverterInputChannelLayout:
    return layout(settings.inputLayout, converter.input.channelCount)
  case kAudioConverterOutputChannelLayout:
    return layout(settings.outputLayout, converter.output.channelCount)
  case kAudioConverterPropertyPerformDownmix: return .of(settings.isMixing ? 1 : 0 as UInt32)
  case kAudioConverterPropertyChannelMixMap:
    guard settings.isMixing else { return .failure(kAudioConverterErr_OperationNotSupported) }
    return .whole(converter.mixGains.flatMap(\.self))
  case kAudioConverterPropertyBitDepthHint: return .of(settings.bitDepthHint)
  case kAudioConverterPropertyDithering: return .of(settings.dithering.rawValue)
  case kAudioConverterPropertyDitherBitDepth: return .of(settings.ditherBits)
  // Nothing interrupts a codec of software.
  case kAudioConverterPropertyCanResumeFromInterruption: return .of(1 as UInt32)
  case kAudioConverterCurrentInputStreamDescription: return .of(converter.source)
  case kAudioConverterCurrentOutputStreamDescription: return .of(converter.destination)
  default: return .failure(kAudioConverterErr_PropertyNotSupported)
  }
}

/// The bytes of the input for bytes of the output, or the other way round; whole frames, rounded up.
private func size(
  _ property: AudioConverterPropertyID, _ converter: PCMConverter, _ supplied: UInt32
) -> PropertyAnswer {
  let isInput = property == kAudioConverterPropertyCalculateInputBufferSize
  let (from, to) =
    isInput
    ? (converter.destination, converter.source) : (converter.source, converter.destination)
  let frames = Double(supplied / from.mBytesPerFrame)
  let ratio = isInput ? 1 / converter.ratio : converter.ratio
  let bytes = (frames * ratio - 1e-9).rounded(.up) * Double(to.mBytesPerFrame)
  return .of(UInt32(clamping: Int64(max(0, bytes))))
}

/// A layout that was set, or the usual one.
private func layout(_ layout: ChannelLayout?, _ channelCount: Int) -> PropertyAnswer {
  let usual = FormatCompletion.usualTag(
    channelCount: UInt32(channelCount), of: kAudioFormatLinearPCM)
  return .value((layout ?? ChannelLayout(tag: usual)).bytes)
}

private func set(
  _ property: AudioConverterPropertyID, _ converter: PCMConverter, _ value: PropertySpecifier
) -> OSStatus {
  switch property {
  case kAudioConverterSampleRateConverterAlgorithm, kAudioConverterSampleRateConverterComplexity:
    return setNumber(value, \.complexity, converter) {
      ConverterSettings.Complexity(rawValue: $0)
    }
  case kAudioConverterSampleRateConverterQuality:
    return setNumber(value, \.quality, converter) { $0 <= 127 ? $0 : nil }
  case kAudioConverterPrimeMethod:
    return setNumber(value, \.primeMethod, converter) {
      ConverterSettings.PrimeMethod(rawValue: $0)
    }
  case kAudioConverterPropertyBitDepthHint:
    return setNumber(value, \.bitDepthHint, converter) { Int32(bitPattern: $0) }
  case kAudioConverterPropertyDithering:
    return setNumber(value, \.dithering, converter) { ConverterSettings.Dithering(rawValue: $0) }
  case kAudioConverterPropertyDitherBitDepth:
    return setNumber(value, \.ditherBits, converter) { $0 <= 32 ? $0 : nil }
  case kAudioConverterPropertyPerformDownmix:
    let status = setNumber(value, \.isMixing, converter) { $0 <= 1 ? $0 == 1 : nil }
    if status == noErr, converter.settings.isMixing { converter.settings.channelMap = nil }
    return status
  case kAudioConverterChannelMap, kAudioConverterPropertyChannelMixMap,
    kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout:
    return setChannels(property, converter, value)
  case kAudioConverterPrimeInfo, kAudioConverterSampleRateConverterInitialPhase,
    kAudioConverterCurrentInputStreamDescription, kAudioConverterCurrentOutputStreamDescription:
    return kAudioConverterErr_OperationNotSupported
  default: return kAudioConverterErr_PropertyNotSupported
  }
}

/// Sets a setting that is a number of four bytes.
private func setNumber<Setting>(
  _ value: PropertySpecifier, _ path: WritableKeyPath<ConverterSettings, Setting>,
  _ converter: PCMConverter, _ setting: (UInt32) -> Setting?
) -> OSStatus {
  guard value.byteCount == 4, let number = value.value(UInt32.self) else {
    return kAudioConverterErr_BadPropertySizeError
  }
  guard let setting = setting(number) else { return kAudio_ParamError }
  converter.settings[keyPath: path] = setting
  return noErr
}

private func setChannels(
  _ property: AudioConverterPropertyID, _ converter: PCMConverter, _ value: PropertySpecifier
) -> OSStatus {
  let (inputs, outputs) = (converter.input.channelCount, converter.output.channelCount)
  switch property {
  case kAudioConverterChannelMap:
    guard value.byteCount == 4 * outputs else { return kAudioConverterErr_BadPropertySizeError }
    let map = (0..<outputs).map { value.value(Int32.self, at: 4 * $0) ?? -1 }
    guard map.allSatisfy({ $0 >= -1 && $0 < inputs }) else { return kAudio_ParamError }
    converter.settings.isMixing = false
    converter.settings.channelMap = map
  case kAudioConverterPropertyChannelMixMap:
    guard converter.settings.isMixing else { return kAudioConverterErr_OperationNotSupported }
    guard value.byteCount == 4 * inputs * outputs else {
      return kAudioConverterErr_BadPropertySizeError
    }
    let gains = (0..<inputs).map { input in
      (0..<outputs).map { value.value(Float.self, at: 4 * (input * outputs + $0)) ?? 0 }
    }
    guard gains.joined().allSatisfy(\.isFinite) else { return kAudio_ParamError }
    converter.settings.mixMap = gains
  default:
    let isInput = property == kAudioConverterInputChannelLayout
    guard let layout = value.layout else { return kAudioConverterErr_BadPropertySizeError }
    guard layout.isValid, layout.channelCount == (isInput ? inputs : outputs) else {
      return kAudio_ParamError
    }
    if isInput {
      converter.settings.inputLayout = layout
    } else {
      converter.settings.outputLayout = layout
    }
  }
  return noErr
}
