// The parts of an extended file here: a handle of AudioFile.h, and handles of AudioConverter.h.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import ExtendedAudioFiles

/// A sound file behind a handle.
@safe final class HandledFile: SharedPacketFile {
  private let handle: AudioFileHandle
  private let isOwned: Bool

  /// Uses a file, and closes it in the end where it is owned.
  init(_ handle: AudioFileHandle, isOwned: Bool) {
    unsafe self.handle = unsafe handle
    self.isOwned = isOwned
  }

  func use(_ body: (PacketFile) throws(AudioFileFailure) -> Void) throws(AudioFileFailure) {
    let status = unsafe OpenedFile.call(handle, body)
    guard status == noErr else { throw AudioFileFailure(status) }
  }

  func release() throws(AudioFileFailure) {
    guard isOwned else {
      return try use { (file) throws(AudioFileFailure) in try file.flush() }
    }
    let status = unsafe AudioFileClose(handle)
    guard status == noErr else { throw AudioFileFailure(status) }
  }
}

/// A converter behind a handle, which C code may ask for.
@safe final class HandledConverter: FileConverter {
  /// The handle.
  let handle: AudioConverterRef

  /// Makes a converter, with a codec of a manufacturer where one is named.
  init(
    from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription,
    manufacturer: UInt32
  ) throws(AudioFileFailure) {
    var (source, destination) = (source, destination)
    var made: AudioConverterRef?
    let isDecoding = source.mFormatID != kAudioFormatLinearPCM
    var codec = AudioClassDescription(
      mType: isDecoding ? 0x6164_6563 : 0x6165_6E63,  // 'adec', 'aenc'
      mSubType: isDecoding ? source.mFormatID : destination.mFormatID, mManufacturer: manufacturer)
    let status =
      unsafe manufacturer == 0
      ? AudioConverterNew(&source, &destination, &made)
      : AudioConverterNewSpecific(&source, &destination, 1, &codec, &made)
    guard status == noErr, let made = unsafe made else {
      throw AudioFileFailure(status == noErr ? kAudioConverterErr_UnspecifiedError : status)
    }
    unsafe handle = unsafe made
  }

  deinit { unsafe _ = AudioConverterDispose(handle) }

  func reset() -> OSStatus { unsafe AudioConverterReset(handle) }

  func value(of property: AudioConverterPropertyID) -> [UInt8]? {
    var size: UInt32 = 0
    guard unsafe AudioConverterGetPropertyInfo(handle, property, &size, nil) == noErr else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let status = unsafe bytes.withUnsafeMutableBytes {
      // Room for nothing has an address, too.
      unsafe AudioConverterGetProperty(handle, property, &size, $0.baseAddress ?? .init(handle))
    }
    guard status == noErr, Int(size) <= bytes.count else { return nil }
    return Array(bytes.prefix(Int(size)))
  }

  func set(_ property: AudioConverterPropertyID, to bytes: [UInt8]) -> OSStatus {
    unsafe bytes.withUnsafeBytes {
      unsafe AudioConverterSetProperty(handle, property, UInt32($0.count), $0.baseAddress)
    }
  }

  func fill(
    _ list: UnsafeMutablePointer<AudioBufferList>, packetCount: inout UInt32,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    from procedure: AudioConverterComplexInputDataProc, _ userData: UnsafeMutableRawPointer
  ) -> OSStatus {
    unsafe AudioConverterFillComplexBuffer(
      handle, procedure, userData, &packetCount, list, descriptions)
  }
}
