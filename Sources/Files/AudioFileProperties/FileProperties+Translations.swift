// Properties whose value is a question and its answer: packets, frames and bytes.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
package import CAudioToolbox

extension FileProperties {
  /// Answers a question in place; false when the property is none.
  package static func translate(
    _ property: AudioFilePropertyID, _ file: PacketFile, _ memory: UnsafeMutableRawPointer
  ) throws(AudioFileFailure) -> Bool {
    switch property {
    case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket:
      var value = unsafe memory.loadUnaligned(as: AudioFramePacketTranslation.self)
      if property == kAudioFilePropertyPacketToFrame {
        value.mFrame = try file.frame(ofPacket: value.mPacket)
      } else {
        (value.mPacket, value.mFrameOffsetInPacket) = try file.packet(ofFrame: value.mFrame)
      }
      unsafe memory.storeBytes(of: value, as: AudioFramePacketTranslation.self)
    case kAudioFilePropertyPacketToByte, kAudioFilePropertyByteToPacket:
      var value = unsafe memory.loadUnaligned(as: AudioBytePacketTranslation.self)
      if property == kAudioFilePropertyPacketToByte {
        value.mByte = try file.byte(ofPacket: value.mPacket)
      } else {
        (value.mPacket, value.mByteOffsetInPacket) = try file.packet(ofByte: value.mByte)
      }
      value.mFlags = 0
      unsafe memory.storeBytes(of: value, as: AudioBytePacketTranslation.self)
    case kAudioFilePropertyPacketRangeByteCountUpperBound:
      var value = unsafe memory.loadUnaligned(as: AudioPacketRangeByteCountTranslation.self)
      value.mByteCountUpperBound = try file.byteCount(
        ofPackets: value.mPacket, count: value.mPacketCount)
      unsafe memory.storeBytes(of: value, as: AudioPacketRangeByteCountTranslation.self)
    case kAudioFilePropertyPacketToRollDistance:
      var value = unsafe memory.loadUnaligned(as: AudioPacketRollDistanceTranslation.self)
      guard value.mPacket >= 0 else { throw .packet }
      value.mRollDistance = min(value.mPacket, file.rollDistance)
      unsafe memory.storeBytes(of: value, as: AudioPacketRollDistanceTranslation.self)
    case kAudioFilePropertyPreviousIndependentPacket, kAudioFilePropertyNextIndependentPacket:
      // Every packet of these formats can start a decoder, after those it rolls over.
      var value = unsafe memory.loadUnaligned(as: AudioIndependentPacketTranslation.self)
      let count = try file.packetCount()
      guard (0...count).contains(value.mPacket) else { throw .packet }
      let isNext = property == kAudioFilePropertyNextIndependentPacket
      let found = value.mPacket + (isNext ? 1 : -1)
      value.mIndependentlyDecodablePacket = (0..<count).contains(found) ? found : -1
      unsafe memory.storeBytes(of: value, as: AudioIndependentPacketTranslation.self)
    case kAudioFilePropertyPacketToDependencyInfo:
      var value = unsafe memory.loadUnaligned(as: AudioPacketDependencyInfoTranslation.self)
      guard value.mPacket >= 0, value.mPacket < (try file.packetCount()) else { throw .packet }
      value.mIsIndependentlyDecodable = 1
      value.mNumberPrerollPackets = UInt32(min(value.mPacket, file.rollDistance))
      unsafe memory.storeBytes(of: value, as: AudioPacketDependencyInfoTranslation.self)
    default: return false
    }
    return true
  }
}
