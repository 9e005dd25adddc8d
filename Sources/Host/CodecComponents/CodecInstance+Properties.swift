// The properties of codecs.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioFormats
import AudioTypes
import CAudioToolbox

extension CodecInstance {
  /// Settable properties of encoders and decoders.
  private static let ofBoth: Set<AudioCodecPropertyID> = [
    kAudioCodecPropertyCurrentInputFormat, kAudioCodecPropertyCurrentOutputFormat,
    kAudioCodecPropertyCurrentInputSampleRate, kAudioCodecPropertyCurrentOutputSampleRate,
  ]
  /// Settable properties of encoders alone.
  private static let ofEncoders: Set<AudioCodecPropertyID> = [
    kAudioCodecPropertyCurrentTargetBitRate, kAudioCodecPropertyQualitySetting,
    kAudioCodecPropertyBitRateControlMode, kAudioCodecPropertySoundQualityForVBR,
    kAudioCodecPropertySettings, kAudioCodecPropertyBitRateForVBR, kAudioCodecPropertyDelayMode,
  ]

  /// Whether a property can be set, before it is initialized.
  func isWritable(_ property: AudioCodecPropertyID) -> Bool {
    switch property {
    case kAudioCodecPropertyPrimeInfo, kAudioCodecPropertyMagicCookie: !isEncoder
    case let id where Self.ofEncoders.contains(id): isEncoder
    default: Self.ofBoth.contains(property)
    }
  }

  /// The packets' format, as far as it is known.
  var packetFormat: AudioStreamBasicDescription {
    if let converter { return isEncoder ? converter.destination : converter.source }
    return FormatCompletion.complete(isEncoder ? output : input) ?? (isEncoder ? output : input)
  }

  /// The value of a property; `supplied` is the content of its destination.
  func value(of property: AudioCodecPropertyID, _ supplied: [UInt8]?) -> CodecValue {
    switch property {
    case kAudioCodecPropertySupportedInputFormats:
      return .list(isEncoder ? Self.linearFormats : [Self.blank(id)])
    case kAudioCodecPropertySupportedOutputFormats:
      return .list(isEncoder ? [Self.blank(id)] : Self.linearFormats)
    case kAudioCodecPropertyInputFormatsForOutputFormat:
      return .list(isEncoder ? Self.linearFormats : [Self.blank(id)])
    case kAudioCodecPropertyOutputFormatsForInputFormat:
      return .list(isEncoder ? [Self.blank(id)] : Self.linearFormats)
    case kAudioCodecPropertyMinimumNumberInputPackets,
      kAudioCodecPropertyMinimumNumberOutputPackets:
      return .of(1 as UInt32)
    case kAudioCodecPropertyAvailableNumberChannels:
      return .list((isEncoder ? known?.channelCounts : known?.decodedChannelCounts) ?? [])
    case kAudioCodecPropertyDoesSampleRateConversion: return .of(1 as UInt32)
    case kAudioCodecPropertyFormatInfo: return formatInfo(supplied)
    case kAudioCodecPropertyFormatList where !isEncoder: return formatList(supplied)
    case kAudioCodecPropertyNameCFString: return text("Auricle codec")
    case kAudioCodecPropertyManufacturerCFString: return text("Auricle")
    case kAudioCodecPropertyFormatCFString: return text(KnownFormat.with(id: id)?.name ?? "")
    default: break
    }
    if isEncoder, let value = encoderValue(of: property) { return value }
    return instanceValue(of: property)
  }

  private func instanceValue(of property: AudioCodecPropertyID) -> CodecValue {
    let format = packetFormat
    switch property {
    case kAudioCodecPropertyInputBufferSize: return .of(UInt32(Self.capacity))
    case kAudioCodecPropertyUsedInputBufferSize: return .of(UInt32(usedCount))
    case kAudioCodecPropertyIsInitialized: return .of(converter == nil ? 0 : 1 as UInt32)
    case kAudioCodecPropertyPacketFrameSize: return .of(format.mFramesPerPacket)
    case kAudioCodecPropertyHasVariablePacketByteSizes:
      return .of(format.mBytesPerPacket == 0 ? 1 : 0 as UInt32)
    case kAudioCodecPropertyRequiresPacketDescription:
      return .of(format.mBytesPerPacket == 0 ? 1 : 0 as UInt32)
    case kAudioCodecPropertyEmploysDependentPackets:
      return .of(KnownFormat.with(id: id)?.hasDependentPackets == true ? 1 : 0 as UInt32)
    case kAudioCodecPropertyMaximumPacketByteSize:
      return .of(UInt32(converter?.encoder?.largestPacket ?? PacketSizes.largest(format)))
    case kAudioCodecPropertyCurrentInputFormat: return .of(converter?.source ?? input)
    case kAudioCodecPropertyCurrentOutputFormat: return .of(converter?.destination ?? output)
    case kAudioCodecPropertyCurrentInputSampleRate:
      return .of((converter?.source ?? input).mSampleRate)
    case kAudioCodecPropertyCurrentOutputSampleRate:
      return .of((converter?.destination ?? output).mSampleRate)
    case kAudioCodecPropertyCurrentInputChannelLayout:
      return Self.layout(of: converter?.source ?? input)
    case kAudioCodecPropertyCurrentOutputChannelLayout:
      return Self.layout(of: converter?.destination ?? output)
    case kAudioCodecPropertyMagicCookie:
      return CodecValue(bytes: converter?.encoder?.cookie ?? cookie)
    case kAudioCodecPropertyPrimeMethod: return .of(kAudioCodecPrimeMethod_Normal)
    case kAudioCodecPropertyPrimeInfo:
      return .of(
        AudioCodecPrimeInfo(
          leadingFrames: trim.leadingFrames, trailingFrames: trim.trailingFrames))
    default: return .failure(kAudioCodecUnknownPropertyError)
    }
  }

  private func encoderValue(of property: AudioCodecPropertyID) -> CodecValue? {
    let format = packetFormat
    switch property {
    case kAudioCodecPropertyAvailableInputSampleRates,
      kAudioCodecPropertyAvailableOutputSampleRates,
      kAudioCodecPropertyApplicableInputSampleRates,
      kAudioCodecPropertyApplicableOutputSampleRates:
      let rates = known?.sampleRates ?? []
      return rates.isEmpty
        ? .list([AudioValueRange(mMinimum: 1, mMaximum: 655_350)]) : .ranges(rates)
    case kAudioCodecPropertyAvailableBitRateRange, kAudioCodecPropertyApplicableBitRateRange,
      kAudioCodecPropertyRecommendedBitRateRange:
      let isAvailable = property == kAudioCodecPropertyAvailableBitRateRange
      let rates =
        known?.bitRates(
          sampleRate: isAvailable ? 0 : format.mSampleRate,
          channelCount: isAvailable ? 0 : format.mChannelsPerFrame) ?? []
      return .ranges(rates.map(Double.init))
    case kAudioCodecPropertyAvailableInputChannelLayoutTags,
      kAudioCodecPropertyAvailableOutputChannelLayoutTags:
      return .list(
        (known?.channelCounts ?? []).map {
          FormatCompletion.usualTag(channelCount: $0, of: id)
        })
    case kAudioCodecPropertyCurrentTargetBitRate, kAudioCodecPropertyBitRateForVBR:
      return .of(converter?.encoder?.bitRate ?? settings.bitRate)
    case kAudioCodecPropertyQualitySetting, kAudioCodecPropertySoundQualityForVBR:
      return .of(settings.quality)
    case kAudioCodecPropertyBitRateControlMode: return .of(settings.mode.rawValue)
    case kAudioCodecPropertyDelayMode where id == kAudioFormatMPEG4AAC:
      return .of(EncoderSettings.delayMode)
    case kAudioCodecPropertySettings:
      return .object { self.makeSettings() }
    case kAudioCodecPropertyPrimeInfo:
      guard let encoder = converter?.encoder else { return nil }
      return .of(
        AudioCodecPrimeInfo(
          leadingFrames: UInt32(encoder.leadFrames),
          trailingFrames: UInt32(converter?.isFinished == true ? encoder.trailFrames : 0)))
    case kAudioCodecPropertyPaddedZeros:
      let trail = converter?.isFinished == true ? converter?.encoder?.trailFrames ?? 0 : 0
      return .of(UInt32(trail))
    default: return nil
    }
  }

  /// Completes the format at the front of an `AudioFormatInfo` with its cookie.
  private func formatInfo(_ supplied: [UInt8]?) -> CodecValue {
    let size = unsafe MemoryLayout<AudioFormatInfo>.size
    guard let supplied else { return CodecValue(bytes: Array(repeating: 0, count: size)) }
    guard supplied.count >= size else { return .failure(kAudioCodecBadPropertySizeError) }
    var info = unsafe supplied.withUnsafeBytes { unsafe $0.loadUnaligned(as: AudioFormatInfo.self) }
    guard unsafe info.mASBD.mFormatID == id || info.mASBD.mFormatID == 0 else {
      return .failure(kAudioCodecUnsupportedFormatError)
    }
    unsafe info.mASBD.mFormatID = id
    let cookie = unsafe Self.bytes(info.mMagicCookie, info.mMagicCookieSize)
    guard let whole = unsafe FormatCompletion.complete(info.mASBD, cookie: cookie) else {
      return .failure(kAudioCodecUnsupportedFormatError)
    }
    unsafe info.mASBD = whole
    return unsafe withUnsafeBytes(of: info) { unsafe CodecValue(bytes: Array($0)) }
  }

  /// The formats that packets can be read as: by the cookie that an `AudioCodecMagicCookieInfo` in front names, or by
  /// the one set.
  private func formatList(_ supplied: [UInt8]?) -> CodecValue {
    var cookie = cookie
    if let supplied, unsafe supplied.count >= MemoryLayout<AudioCodecMagicCookieInfo>.size {
      let info = unsafe supplied.withUnsafeBytes {
        unsafe $0.loadUnaligned(as: AudioCodecMagicCookieInfo.self)
      }
      cookie = unsafe Self.bytes(info.mMagicCookie, info.mMagicCookieSize)
    }
    guard let list = FormatCompletion.list(packetFormat, cookie: cookie) else {
      return .failure(kAudioCodecUnsupportedFormatError)
    }
    return .list(list)
  }

  /// The bytes of a cookie; none of a null pointer.
  private static func bytes(_ start: UnsafeRawPointer?, _ count: UInt32) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
  }

  private func text(_ text: String) -> CodecValue {
    guard let string = unsafe makeCFString(text) else { return .failure(kAudio_MemFullError) }
    return .of(UInt(bitPattern: string))
  }

  /// Sets a property.
  func set(_ property: AudioCodecPropertyID, _ bytes: [UInt8]) throws(AuricleError) -> OSStatus {
    guard value(of: property, nil).status != kAudioCodecUnknownPropertyError else {
      return kAudioCodecUnknownPropertyError
    }
    guard isWritable(property) else { return kAudioCodecIllegalOperationError }
    guard converter == nil else { return kAudioCodecStateError }
    switch property {
    case kAudioCodecPropertyCurrentInputFormat, kAudioCodecPropertyCurrentOutputFormat:
      guard let format = bytes.value(AudioStreamBasicDescription.self) else {
        return kAudioCodecBadPropertySizeError
      }
      let isInput = property == kAudioCodecPropertyCurrentInputFormat
      guard format.mFormatID == (isInput == isEncoder ? kAudioFormatLinearPCM : id) else {
        return kAudioCodecUnsupportedFormatError
      }
      if isInput { input = format } else { output = format }
    case kAudioCodecPropertyMagicCookie: cookie = bytes
    case kAudioCodecPropertyPrimeInfo:
      guard let info = bytes.value(AudioCodecPrimeInfo.self) else {
        return kAudioCodecBadPropertySizeError
      }
      trim = AudioConverterPrimeInfo(
        leadingFrames: info.leadingFrames, trailingFrames: info.trailingFrames)
    case kAudioCodecPropertyCurrentInputSampleRate, kAudioCodecPropertyCurrentOutputSampleRate:
      guard let rate = bytes.value(Double.self) else { return kAudioCodecBadPropertySizeError }
      if property == kAudioCodecPropertyCurrentInputSampleRate {
        input.mSampleRate = rate
      } else {
        output.mSampleRate = rate
      }
    case kAudioCodecPropertySettings: return setSettings(bytes)
    default:
      guard let number = bytes.value(UInt32.self) else { return kAudioCodecBadPropertySizeError }
      return setNumber(property, number)
    }
    return noErr
  }

  func setNumber(_ property: AudioCodecPropertyID, _ number: UInt32) -> OSStatus {
    settings.set(property, number) ?? kAudioCodecUnknownPropertyError
  }

  /// The layout that channels of a format have; none before their number is known.
  private static func layout(of format: AudioStreamBasicDescription) -> CodecValue {
    guard format.mChannelsPerFrame > 0 else { return .failure(kAudioCodecStateError) }
    let tag = FormatCompletion.usualTag(
      channelCount: format.mChannelsPerFrame, of: format.mFormatID)
    return CodecValue(bytes: ChannelLayout(tag: tag).bytes)
  }

  private static func blank(_ id: AudioFormatID) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mFormatID = id
    return FormatCompletion.complete(format) ?? format
  }

  /// Interleaved integers of 16 and 32 bits and floats, of any rate and number of channels.
  private static let linearFormats: [AudioStreamBasicDescription] = {
    let integers = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    let kinds: [(UInt32, UInt32)] = [
      (integers, 16), (integers, 32), (kAudioFormatFlagsNativeFloatPacked, 32),
    ]
    return kinds.map { flags, bits in
      var format = AudioStreamBasicDescription()
      format.mFormatID = kAudioFormatLinearPCM
      format.mFormatFlags = flags
      format.mBitsPerChannel = bits
      format.mFramesPerPacket = 1
      return format
    }
  }()
}
