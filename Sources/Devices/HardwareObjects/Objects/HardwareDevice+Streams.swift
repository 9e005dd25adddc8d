// Properties of the streams of a device.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
package import CAudioToolbox
import RealtimeSupport
import Synchronization

extension HardwareDevice {
  /// Properties of streams that can be set.
  static let settableOfStreams: Set<UInt32> = [
    kAudioStreamPropertyVirtualFormat, kAudioStreamPropertyPhysicalFormat,
  ]

  /// The clients' format: interleaved 32-bit float.
  package func virtualFormat(isInput: Bool) -> AudioStreamBasicDescription {
    PCMFormat.native.description(
      sampleRate: sampleRate, channelCount: max(1, channelCount(isInput: isInput)))
  }

  private func physicalFormat(isInput: Bool) -> AudioStreamBasicDescription {
    let engine = engine
    let made = isInput ? engine?.input : engine?.output
    let format =
      made?.format ?? state.withLock { $0.formats[isInput] }
      ?? probe(isInput: isInput)?.formats.first
    return (format ?? .native).description(
      sampleRate: sampleRate, channelCount: max(1, channelCount(isInput: isInput)))
  }

  private func ranged(_ formats: [PCMFormat], isInput: Bool) -> PropertyValue {
    let probe = probe(isInput: isInput)
    let channels = max(1, channelCount(isInput: isInput))
    var all: [AudioStreamRangedDescription] = []
    for format in formats {
      if let range = probe?.rateRange {
        all.append(
          AudioStreamRangedDescription(
            mFormat: format.description(sampleRate: sampleRate, channelCount: channels),
            mSampleRateRange: AudioValueRange(
              mMinimum: range.lowerBound, mMaximum: range.upperBound)))
      } else {
        for rate in probe?.sampleRates ?? [sampleRate] {
          all.append(
            AudioStreamRangedDescription(
              mFormat: format.description(sampleRate: rate, channelCount: channels),
              mSampleRateRange: AudioValueRange(mMinimum: rate, mMaximum: rate)))
        }
      }
    }
    return .values(all)
  }

  /// The value of a property of a stream.
  func streamProperty(
    _ address: AudioObjectPropertyAddress, isInput: Bool
  ) throws(HardwareError) -> PropertyValue {
    switch address.mSelector {
    case kAudioObjectPropertyBaseClass: return .value(kAudioObjectClassID)
    case kAudioObjectPropertyClass: return .value(kAudioStreamClassID)
    case kAudioObjectPropertyOwner: return .value(id)
    case kAudioObjectPropertyName: return .text(isInput ? "Input" : "Output")
    case kAudioObjectPropertyOwnedObjects, kAudioObjectPropertyControlList:
      return .values([UInt32]())
    case kAudioStreamPropertyIsActive:
      return .value(UInt32(channelCount(isInput: isInput) > 0 ? 1 : 0))
    case kAudioStreamPropertyDirection: return .value(UInt32(isInput ? 1 : 0))
    case kAudioStreamPropertyTerminalType: return .value(kAudioStreamTerminalTypeLine)
    case kAudioStreamPropertyStartingChannel: return .value(UInt32(1))
    case kAudioStreamPropertyLatency: return .value(UInt32(0))
    case kAudioStreamPropertyVirtualFormat: return .value(virtualFormat(isInput: isInput))
    case kAudioStreamPropertyAvailableVirtualFormats: return ranged([.native], isInput: isInput)
    case kAudioStreamPropertyPhysicalFormat, kAudioStreamPropertyPhysicalFormatMatch,
      kAudioStreamPropertyPhysicalFormatSupported:
      return .value(physicalFormat(isInput: isInput))
    case kAudioStreamPropertyAvailablePhysicalFormats, kAudioStreamPropertyPhysicalFormats:
      let formats = probe(isInput: isInput)?.formats ?? [.native]
      guard address.mSelector == kAudioStreamPropertyPhysicalFormats else {
        return ranged(formats, isInput: isInput)
      }
      let channels = max(1, channelCount(isInput: isInput))
      return .values(
        formats.map { $0.description(sampleRate: sampleRate, channelCount: channels) })
    default: throw .unknownProperty
    }
  }

  /// Sets a format of a stream.
  func setStreamProperty(
    _ address: AudioObjectPropertyAddress, _ value: PropertyValue, isInput: Bool
  ) throws(HardwareError) {
    guard let format = value.loaded(as: AudioStreamBasicDescription.self) else { throw .badSize }
    try setFormat(
      format, isInput: isInput,
      isVirtual: address.mSelector == kAudioStreamPropertyVirtualFormat)
  }

  /// Sets a format that the device can have: its rate, and of a physical one the samples.
  func setFormat(
    _ format: AudioStreamBasicDescription, isInput: Bool, isVirtual: Bool
  ) throws(HardwareError) {
    guard let layout = SampleFormat(format), layout.channelCount == channelCount(isInput: isInput)
    else { throw .init(kAudioDeviceUnsupportedFormatError) }
    if isVirtual {
      guard
        layout
          == PCMFormat.native.sampleFormat(
            channelCount: layout.channelCount, isPlanar: false)
      else { throw .init(kAudioDeviceUnsupportedFormatError) }
    } else {
      let offered = probe(isInput: isInput)?.formats ?? []
      guard
        let found = offered.first(where: {
          $0.sampleFormat(channelCount: layout.channelCount, isPlanar: false) == layout
        })
      else { throw .init(kAudioDeviceUnsupportedFormatError) }
      let isChanged = state.withLock { state -> Bool in
        defer { state.formats[isInput] = found }
        return state.formats[isInput] != found
      }
      // A change of the rate posts both formats.
      if isChanged, format.mSampleRate == 0 || format.mSampleRate == sampleRate {
        system.listeners.changed(
          isInput ? inputStream : outputStream, kAudioStreamPropertyPhysicalFormat)
        system.listeners.changed(
          id, kAudioStreamPropertyPhysicalFormat,
          isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput)
      }
    }
    if format.mSampleRate > 0 { try setSampleRate(format.mSampleRate) }
  }
}
