// Answers to properties of layouts and channels.
// SPDX-License-Identifier: Apache-2.0

import AudioFormats
import CAudioToolbox

private let badSpecifier = PropertyAnswer.failure(kAudioFormatBadSpecifierSizeError)
private let unknownLayout = PropertyAnswer.failure(kAudioFormatUnknownFormatError)

/// Answers questions about layouts; nil for other properties.
func layoutAnswer(
  to property: AudioFormatPropertyID, _ specifier: PropertySpecifier
) -> PropertyAnswer? {
  switch property {
  case kAudioFormatProperty_BitmapForLayoutTag, kAudioFormatProperty_ChannelLayoutForTag,
    kAudioFormatProperty_ChannelLayoutForBitmap, kAudioFormatProperty_TagsForNumberOfChannels:
    guard let number = specifier.value(UInt32.self) else { return badSpecifier }
    return numberAnswer(to: property, number)
  case kAudioFormatProperty_NumberOfChannelsForLayout, kAudioFormatProperty_ChannelLayoutHash,
    kAudioFormatProperty_ValidateChannelLayout, kAudioFormatProperty_TagForChannelLayout,
    kAudioFormatProperty_ChannelLayoutName, kAudioFormatProperty_ChannelLayoutSimpleName:
    guard let layout = specifier.layout else {
      return specifier.byteCount < ChannelLayout.headerSize
        ? badSpecifier : .failure(kAudio_ParamError)
    }
    return oneLayoutAnswer(to: property, layout)
  case kAudioFormatProperty_ChannelName, kAudioFormatProperty_ChannelShortName:
    guard let description = specifier.value(AudioChannelDescription.self) else {
      return badSpecifier
    }
    let isShort = property == kAudioFormatProperty_ChannelShortName
    return ChannelRole.name(of: description.mChannelLabel, isShort: isShort)
      .map(PropertyAnswer.text) ?? unknownLayout
  case kAudioFormatProperty_MatrixMixMap, kAudioFormatProperty_ChannelMap,
    kAudioFormatProperty_AreChannelLayoutsEquivalent:
    guard specifier.byteCount >= 16 else { return badSpecifier }
    guard let first = specifier.layout(behindPointerAt: 0),
      let second = specifier.layout(behindPointerAt: 8)
    else { return .failure(kAudio_ParamError) }
    return pairAnswer(to: property, first, second)
  default: return nil
  }
}

private func numberAnswer(to property: AudioFormatPropertyID, _ number: UInt32) -> PropertyAnswer {
  switch property {
  case kAudioFormatProperty_BitmapForLayoutTag:
    return LayoutTags.labels(of: number).flatMap(ChannelBits.bitmap).map { .of($0) }
      ?? unknownLayout
  case kAudioFormatProperty_ChannelLayoutForTag:
    return LayoutTags.labels(of: number).map { .value(ChannelLayout(labels: $0).bytes) }
      ?? unknownLayout
  case kAudioFormatProperty_ChannelLayoutForBitmap:
    guard number != 0, let labels = ChannelBits.labels(of: number) else { return unknownLayout }
    return .value(ChannelLayout(labels: labels).bytes)
  default:
    let tags = LayoutTags.tags(channelCount: number)
    return tags.isEmpty ? unknownLayout : .list(tags)
  }
}

private func oneLayoutAnswer(
  to property: AudioFormatPropertyID, _ layout: ChannelLayout
) -> PropertyAnswer {
  switch property {
  case kAudioFormatProperty_NumberOfChannelsForLayout:
    return .of(UInt32(layout.channelCount))
  case kAudioFormatProperty_ChannelLayoutHash:
    return layout.hash.map { .of($0) } ?? unknownLayout
  case kAudioFormatProperty_ValidateChannelLayout:
    return layout.isValid ? .value([]) : unknownLayout
  case kAudioFormatProperty_TagForChannelLayout:
    return layout.equivalentTag.map { .of($0) } ?? unknownLayout
  case kAudioFormatProperty_ChannelLayoutName:
    return layout.name.map(PropertyAnswer.text) ?? unknownLayout
  default:
    return layout.simpleName.map(PropertyAnswer.text) ?? unknownLayout
  }
}

private func pairAnswer(
  to property: AudioFormatPropertyID, _ first: ChannelLayout, _ second: ChannelLayout
) -> PropertyAnswer {
  switch property {
  case kAudioFormatProperty_MatrixMixMap:
    return ChannelMatrix.mix(from: first, to: second).map { .whole($0.flatMap(\.self)) }
      ?? unknownLayout
  case kAudioFormatProperty_ChannelMap:
    return ChannelMatrix.map(from: first, to: second).map(PropertyAnswer.whole) ?? unknownLayout
  default:
    guard let one = first.identity, let other = second.identity else { return unknownLayout }
    return .of(one == other ? 1 : 0 as UInt32)
  }
}

/// Answers gains of loudspeakers; nil for other properties.
func placingAnswer(
  to property: AudioFormatPropertyID, _ specifier: PropertySpecifier
) -> PropertyAnswer? {
  switch property {
  case kAudioFormatProperty_PanningMatrix:
    guard let info = unsafe specifier.value(AudioPanningInfo.self) else { return badSpecifier }
    let places = unsafe ChannelLayout(info.mOutputChannelMap).flatMap(ChannelPlacing.azimuths)
    let azimuth = unsafe ChannelPlacing.azimuth(info.mCoordinateFlags, info.mCoordinates)
    guard let places, let azimuth else { return .failure(kAudio_ParamError) }
    let gains: [Float]?
    switch unsafe info.mPanningMode {
    case kPanningMode_SoundField: gains = ChannelPlacing.fieldGains(at: azimuth, places)
    case kPanningMode_VectorBasedPanning:
      gains = ChannelPlacing.vectorGains(at: azimuth, places)
    default: return .failure(kAudio_ParamError)
    }
    let scale = unsafe info.mGainScale
    return gains.map { .whole($0.map { $0 * scale }) } ?? unknownLayout
  case kAudioFormatProperty_BalanceFade:
    guard let balance = unsafe specifier.value(AudioBalanceFade.self) else { return badSpecifier }
    let type = unsafe balance.mType
    let isEqualPower = type == kAudioBalanceFadeType_EqualPower
    guard isEqualPower || type == kAudioBalanceFadeType_MaxUnityGain,
      let places = unsafe ChannelLayout(balance.mChannelLayout).flatMap(ChannelPlacing.azimuths)
    else { return .failure(kAudio_ParamError) }
    return unsafe .whole(
      ChannelPlacing.balanceGains(
        balance: Double(balance.mLeftRightBalance), fade: Double(balance.mBackFrontFade),
        isEqualPower: isEqualPower, places))
  default: return nil
  }
}
