// Properties of devices.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import Glibc
import Synchronization

extension HardwareDevice {
  /// Properties that can be set.
  static let settable: Set<UInt32> = [
    kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyBufferFrameSize,
    kAudioDevicePropertyBufferSize, kAudioDevicePropertyHogMode, kAudioDevicePropertyIOCycleUsage,
    kAudioDevicePropertyPreferredChannelsForStereo, kAudioDevicePropertyStreamFormat,
    kAudioDevicePropertyIOProcStreamUsage, kAudioStreamPropertyPhysicalFormat,
  ]

  /// The value of a property.
  func property(
    _ address: AudioObjectPropertyAddress, _ qualifier: PropertyQualifier
  ) throws(HardwareError) -> PropertyValue {
    if let value = aggregateProperty(address.mSelector) { return value }
    if let value = identity(address, qualifier) { return value }
    let isInput = address.mScope == kAudioObjectPropertyScopeInput
    guard
      isInput
        || [kAudioObjectPropertyScopeOutput, kAudioObjectPropertyScopeGlobal].contains(
          address.mScope)
    else { throw .unknownProperty }
    if let value = try sideProperty(address, isInput: isInput) { return value }
    if let value = try controlProperty(address, qualifier) { return value }
    switch address.mSelector {
    case kAudioDevicePropertyDeviceIsAlive: return .value(UInt32(isAlive ? 1 : 0))
    case kAudioDevicePropertyDeviceIsRunning: return .value(UInt32(isRunning ? 1 : 0))
    case kAudioDevicePropertyDeviceIsRunningSomewhere:
      return .value(UInt32(isRunning || listing.holder != nil ? 1 : 0))
    case kAudioDevicePropertyNominalSampleRate: return .value(sampleRate)
    case kAudioDevicePropertyAvailableNominalSampleRates: return .values(rateRanges)
    case kAudioDevicePropertyActualSampleRate:
      guard let engine, let time = engine.presentTime else { return .value(0.0) }
      return .value(engine.sampleRate / time.scalar)
    case kAudioDevicePropertyBufferFrameSize: return .value(periodFrames)
    case kAudioDevicePropertyBufferFrameSizeRange:
      let range = (probe(isInput: false) ?? probe(isInput: true))?.periods ?? 16...4096
      return .value(
        AudioValueRange(
          mMinimum: Double(range.lowerBound), mMaximum: Double(min(range.upperBound, 65_536))))
    case kAudioDevicePropertyUsesVariableBufferFrameSizes: throw .unknownProperty
    case kAudioDevicePropertyIOCycleUsage: return .value(state.withLock { $0.cycleUsage })
    case kAudioDevicePropertyHogMode: return .value(state.withLock { $0.hogOwner })
    case kAudioDevicePropertyIOProcStreamUsage:
      // The usage of streams is for a caller that names a procedure.
      guard channelCount(isInput: isInput) > 0 else { throw .unknownProperty }
      return .bytes(
        [UInt8](repeating: 0, count: unsafe MemoryLayout<AudioHardwareIOProcStreamUsage>.size))
    default: throw .unknownProperty
    }
  }

  /// Returns a property of the device as such, for any side.
  private func identity(
    _ address: AudioObjectPropertyAddress, _ qualifier: PropertyQualifier
  ) -> PropertyValue? {
    switch address.mSelector {
    case kAudioObjectPropertyBaseClass: .value(kAudioObjectClassID)
    case kAudioObjectPropertyClass: .value(kAudioDeviceClassID)
    case kAudioObjectPropertyOwner: .value(UInt32(kAudioObjectSystemObject))
    case kAudioObjectPropertyName: .text(listing.title)
    case kAudioDevicePropertyDeviceName: .cString(listing.title)
    case kAudioObjectPropertyManufacturer, kAudioObjectPropertyCreator: .text(maker)
    case kAudioDevicePropertyDeviceManufacturer: .cString(maker)
    case kAudioObjectPropertyModelName: .text(listing.title)
    case kAudioDevicePropertyDeviceUID: .text(uid)
    case kAudioDevicePropertyModelUID: .text("\(listing.kind):\(listing.title)")
    case kAudioDevicePropertyTransportType: .value(transport)
    case kAudioDevicePropertyRelatedDevices: .values([id])
    case kAudioDevicePropertyClockDomain, kAudioDevicePropertyIsHidden: .value(UInt32(0))
    case kAudioObjectPropertyControlList: .values(controls(address.mScope).map(id(of:)))
    case kAudioObjectPropertyOwnedObjects: owned(qualifier, address.mScope)
    case kAudioDevicePropertyPlugIn: .value(Int32(0))
    case kAudioDevicePropertySupportsMixing: .value(UInt32(1))
    default: nil
    }
  }

  private var maker: String { listing.kind == "file" ? "Auricle" : "ALSA" }

  private var transport: UInt32 {
    guard listing.kind == "card" else { return kAudioDeviceTransportTypeVirtual }
    let name = listing.name.split(separator: "=").dropFirst().first?.split(separator: ",").first
    let isUSB =
      name.map { unsafe access("/proc/asound/\($0)/usbid", F_OK) == 0 } ?? false
    return isUSB ? kAudioDeviceTransportTypeUSB : kAudioDeviceTransportTypeBuiltIn
  }

  private func owned(_ qualifier: PropertyQualifier, _ scope: UInt32) -> PropertyValue {
    let classes = stride(from: 0, to: qualifier.bytes.count / 4 * 4, by: 4).compactMap { offset in
      PropertyValue.bytes(Array(qualifier.bytes[offset..<(offset + 4)])).loaded(as: UInt32.self)
    }
    func isWanted(_ kinds: UInt32...) -> Bool {
      classes.isEmpty
        || classes.contains {
          ([kAudioObjectClassID, kAudioObjectClassIDWildcard] + kinds).contains($0)
        }
    }
    let controls = controls(scope).filter {
      isWanted(kAudioControlClassID, $0.classID, $0.baseClassID)
    }
    return .values(
      (isWanted(kAudioStreamClassID) ? streams(scope) : []) + controls.map(id(of:))
        + (isWanted(kAudioSubDeviceClassID) ? partObjects : []))
  }

  /// The streams of a scope.
  func streams(_ scope: UInt32) -> [AudioObjectID] {
    var found: [AudioObjectID] = []
    if scope != kAudioObjectPropertyScopeInput, channelCount(isInput: false) > 0 {
      found.append(outputStream)
    }
    if scope != kAudioObjectPropertyScopeOutput, channelCount(isInput: true) > 0 {
      found.append(inputStream)
    }
    return found
  }

  private var rateRanges: [AudioValueRange] {
    let sides = [probe(isInput: false), probe(isInput: true)].compactMap(\.self)
    guard let first = sides.first else { return [] }
    if let range = first.rateRange, sides.allSatisfy({ $0.rateRange != nil }) {
      return [AudioValueRange(mMinimum: range.lowerBound, mMaximum: range.upperBound)]
    }
    return first.sampleRates.filter { rate in
      sides.allSatisfy { $0.accepts(sampleRate: rate) }
    }.map { AudioValueRange(mMinimum: $0, mMaximum: $0) }
  }

  /// A property of a side; nil for a selector that belongs to none.
  private func sideProperty(
    _ address: AudioObjectPropertyAddress, isInput: Bool
  ) throws(HardwareError) -> PropertyValue? {
    let count = channelCount(isInput: isInput)
    let element = Int(clamping: address.mElement)
    switch address.mSelector {
    case kAudioDevicePropertyStreams: return .values(streams(address.mScope))
    case kAudioDevicePropertyStreamConfiguration: return .bufferList(count > 0 ? [count] : [])
    case kAudioDevicePropertyDeviceCanBeDefaultDevice,
      kAudioDevicePropertyDeviceCanBeDefaultSystemDevice:
      return .value(UInt32((isInput ? listing.hasInput : listing.hasOutput) ? 1 : 0))
    case kAudioDevicePropertyLatency:
      let latency = engine?.connectorLatency ?? state.withLock { $0.latency }
      return .value(UInt32(clamping: isInput ? latency.input : latency.output))
    case kAudioDevicePropertySafetyOffset:
      // The device's buffer beyond a recorded and a played period.
      let held = engine?.output?.bufferFrames ?? PCMRequest().periodCount * Int(periodFrames)
      return .value(UInt32(clamping: isInput || count == 0 ? 0 : held - 2 * Int(periodFrames)))
    case kAudioDevicePropertyJackIsConnected: return .value(UInt32(1))
    case kAudioDevicePropertyPreferredChannelsForStereo:
      let usual = (UInt32(1), UInt32(max(1, min(2, count))))
      let pair = state.withLock { $0.stereo[isInput] ?? usual }
      return .values([pair.0, pair.1])
    case kAudioDevicePropertyPreferredChannelLayout: return .value(layout(count))
    case kAudioObjectPropertyElementName, kAudioObjectPropertyElementNumberName:
      guard element >= 1, element <= count else { throw .unknownProperty }
      return .text("\(element)")
    case kAudioDevicePropertyChannelName:
      guard element >= 1, element <= count else { throw .unknownProperty }
      return .cString("\(element)")
    case kAudioObjectPropertyElementCategoryName:
      return .text(isInput ? "Input" : "Output")
    case kAudioDevicePropertyStreamFormat, kAudioDevicePropertyStreamFormatMatch,
      kAudioDevicePropertyStreamFormatSupported:
      guard count > 0 else { throw .unknownProperty }
      return .value(virtualFormat(isInput: isInput))
    case kAudioDevicePropertyStreamFormats:
      guard count > 0 else { throw .unknownProperty }
      return .value(virtualFormat(isInput: isInput))
    case kAudioStreamPropertyAvailableVirtualFormats, kAudioStreamPropertyPhysicalFormat,
      kAudioStreamPropertyAvailablePhysicalFormats, kAudioStreamPropertyPhysicalFormats,
      kAudioStreamPropertyPhysicalFormatSupported, kAudioStreamPropertyPhysicalFormatMatch:
      // A device answers for the stream of that side.
      guard count > 0 else { throw .unknownProperty }
      return try streamProperty(address, isInput: isInput)
    case kAudioDevicePropertyBufferSize:
      return .value(periodFrames * UInt32(max(1, count)) * 4)
    case kAudioDevicePropertyBufferSizeRange:
      let range = probe(isInput: isInput)?.periods ?? 16...4096
      let frame = Double(max(1, count) * 4)
      return .value(
        AudioValueRange(
          mMinimum: Double(range.lowerBound) * frame,
          mMaximum: Double(min(range.upperBound, 65_536)) * frame))
    default: return nil
    }
  }

  private func layout(_ count: Int) -> AudioChannelLayout {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag =
      switch count {
      case 1: kAudioChannelLayoutTag_Mono
      case 2: kAudioChannelLayoutTag_Stereo
      default: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(count)
      }
    return layout
  }

  /// Sets a property that can be.
  func setProperty(
    _ address: AudioObjectPropertyAddress, _ value: PropertyValue
  ) throws(HardwareError) {
    if try setAggregateProperty(address.mSelector, value) { return }
    switch address.mSelector {
    case kAudioDevicePropertyNominalSampleRate:
      guard let rate = value.loaded(as: Double.self) else { throw .badSize }
      return try setSampleRate(rate)
    case kAudioDevicePropertyBufferFrameSize:
      guard let frames = value.loaded(as: UInt32.self) else { throw .badSize }
      return try setPeriodFrames(frames)
    case kAudioDevicePropertyBufferSize:
      guard let bytes = value.loaded(as: UInt32.self) else { throw .badSize }
      let isInput = address.mScope == kAudioObjectPropertyScopeInput
      return try setPeriodFrames(bytes / UInt32(4 * max(1, channelCount(isInput: isInput))))
    case kAudioDevicePropertyIOCycleUsage:
      guard let share = value.loaded(as: Float.self) else { throw .badSize }
      state.withLock { $0.cycleUsage = min(max(share, 0), 1) }
    case kAudioDevicePropertyHogMode: try toggleHog()
    case kAudioDevicePropertyPreferredChannelsForStereo:
      guard let pair = value.loaded(as: UInt64.self) else { throw .badSize }
      let isInput = address.mScope == kAudioObjectPropertyScopeInput
      state.withLock {
        $0.stereo[isInput] = (
          UInt32(truncatingIfNeeded: pair), UInt32(truncatingIfNeeded: pair >> 32)
        )
      }
    case kAudioDevicePropertyStreamFormat, kAudioStreamPropertyPhysicalFormat:
      guard let format = value.loaded(as: AudioStreamBasicDescription.self) else { throw .badSize }
      let isInput = address.mScope == kAudioObjectPropertyScopeInput
      let isVirtual = address.mSelector == kAudioDevicePropertyStreamFormat
      return try setFormat(format, isInput: isInput, isVirtual: isVirtual)
    case _ where Self.settableOfControls.contains(address.mSelector):
      return try setControl(address, value)
    default: throw .unsupported
    }
    system.listeners.changed(id, address.mSelector, address.mScope)
  }

  /// An ALSA card that is open is nobody else's: the flag only keeps the number of the process.
  private func toggleHog() throws(HardwareError) {
    let own = getpid()
    state.withLock { $0.hogOwner = $0.hogOwner == own ? -1 : own }
  }
}
