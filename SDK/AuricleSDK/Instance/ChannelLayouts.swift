// The channel layouts of buses.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension UnitInstance {
  /// The layouts of Core Audio's units, and the default ones of files, one to eight channels.
  private static let knownTags: [AudioChannelLayoutTag] = [
    kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Binaural,
    kAudioChannelLayoutTag_AudioUnit_4, kAudioChannelLayoutTag_Ambisonic_B_Format,
    kAudioChannelLayoutTag_MPEG_5_0_A, kAudioChannelLayoutTag_AudioUnit_5,
    kAudioChannelLayoutTag_AudioUnit_5_0, kAudioChannelLayoutTag_AudioUnit_6,
    kAudioChannelLayoutTag_AudioUnit_6_0, kAudioChannelLayoutTag_AudioUnit_5_1,
    kAudioChannelLayoutTag_AudioUnit_7_0, kAudioChannelLayoutTag_AudioUnit_7_0_Front,
    kAudioChannelLayoutTag_AudioUnit_6_1, kAudioChannelLayoutTag_AudioUnit_8,
    kAudioChannelLayoutTag_AudioUnit_7_1, kAudioChannelLayoutTag_AudioUnit_7_1_Front,
  ]

  /// Bytes before the channel descriptions.
  private static let headerSize = 12

  /// Returns the layouts that a bus supports: those of its possible channel counts.
  func layoutTags(_ address: ElementAddress) -> [AudioChannelLayoutTag] {
    let own = definition.bus(address.scope, address.element).layoutTags
    var tags = (own ?? Self.knownTags).filter {
      allows(Int($0 & 0xFFFF), address.scope, address.element)
    }
    if own != nil { return tags }
    let discrete = ChannelLayoutTag.discrete(channelCount: channelCount(address)).rawValue
    tags.append(discrete)
    return tags
  }

  private func channelCount(_ address: ElementAddress) -> Int {
    Int(format(address.scope, AudioUnitElement(address.element)).mChannelsPerFrame)
  }

  /// Returns the layout of a bus: the host's, if it still fits, otherwise the default one of the channel count.
  func channelLayout(_ address: ElementAddress) -> [UInt8] {
    let count = channelCount(address)
    if let bytes = settings.channelLayouts[address], Self.channelCount(of: bytes) == count {
      return bytes
    }
    var bytes = [UInt8](repeating: 0, count: Self.headerSize)
    var tag = ChannelLayoutTag.usual(channelCount: count).rawValue
    let own = definition.bus(address.scope, address.element).layoutTags
    if let own, !own.contains(tag) { tag = own.first { Int($0 & 0xFFFF) == count } ?? tag }
    unsafe withUnsafeBytes(of: tag) { unsafe bytes.replaceSubrange(0..<4, with: $0) }
    return bytes
  }

  /// Sets the layout of a bus; it must have as many channels as the bus.
  func setChannelLayout(_ address: ElementAddress, _ bytes: UnsafeRawBufferPointer) -> OSStatus {
    guard bytes.count >= Self.headerSize else { return kAudioUnitErr_InvalidPropertyValue }
    let descriptions = unsafe Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let size = Self.headerSize + descriptions * MemoryLayout<AudioChannelDescription>.size
    guard bytes.count >= size else { return kAudioUnitErr_InvalidPropertyValue }
    let layout = unsafe Array(bytes[..<size])
    guard Self.channelCount(of: layout) == channelCount(address) else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    let tag = unsafe bytes.loadUnaligned(as: UInt32.self)
    if definition.bus(address.scope, address.element).layoutTags != nil {
      guard layoutTags(address).contains(tag) else { return kAudioUnitErr_InvalidPropertyValue }
      guard !isInitialized || layout == channelLayout(address) else {
        return kAudioUnitErr_Initialized
      }
    } else if !layoutTags(address).contains(tag) {
      guard
        tag == kAudioChannelLayoutTag_UseChannelDescriptions
          || tag == kAudioChannelLayoutTag_UseChannelBitmap
      else { return kAudioUnitErr_InvalidPropertyValue }
    }
    settings.channelLayouts[address] = layout
    return 0
  }

  /// Returns the channel count of a layout: from its tag, bitmap, or descriptions.
  private static func channelCount(of bytes: [UInt8]) -> Int {
    func word(_ place: Int) -> UInt32 {
      unsafe bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      }
    }
    switch word(0) {
    case kAudioChannelLayoutTag_UseChannelDescriptions: return Int(word(8))
    case kAudioChannelLayoutTag_UseChannelBitmap: return word(4).nonzeroBitCount
    default: return Int(word(0) & 0xFFFF)
    }
  }
}
