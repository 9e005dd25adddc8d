// The functions of AudioConverter.h that fill under a condition, and the one that loads codecs beforehand.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioTypes
public import CAudioToolbox
import Glibc
import HostSystem
import MacSystem

/// Fills a list with frames of a procedure, between linear formats only.
///
/// - Returns: `op??` where packets are decoded or made; otherwise as `AudioConverterFillComplexBuffer`.
///
/// Context: a realtime thread, where the rate stays as it is.
@c @implementation
public func AudioConverterFillComplexBufferRealtimeSafe(
  _ converter: AudioConverterRef?, _ procedure: AudioConverterComplexInputDataProc?,
  _ userData: UnsafeMutableRawPointer?, _ packets: UnsafeMutablePointer<UInt32>?,
  _ output: UnsafeMutablePointer<AudioBufferList>?,
  _ packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  guard let open = unsafe Converters.converter(converter) else { return kAudio_ParamError }
  guard open.packets == nil else { return kAudioConverterErr_OperationNotSupported }
  return unsafe AudioConverterFillComplexBuffer(
    converter, procedure, userData, packets, output, packetDescriptions)
}

/// Fills a list with frames of a procedure, and marks each packet as independent of others.
///
/// - Returns: -50 without room for dependencies; otherwise as `AudioConverterFillComplexBuffer`.
///
/// Context: control.
@c @implementation
public func AudioConverterFillComplexBufferWithPacketDependencies(
  _ converter: AudioConverterRef?, _ procedure: AudioConverterComplexInputDataProc?,
  _ userData: UnsafeMutableRawPointer?, _ packets: UnsafeMutablePointer<UInt32>?,
  _ output: UnsafeMutablePointer<AudioBufferList>?,
  _ packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ packetDependencies: UnsafeMutablePointer<AudioStreamPacketDependencyDescription>?
) -> OSStatus {
  guard let packets = unsafe packets, let dependencies = unsafe packetDependencies else {
    return kAudio_ParamError
  }
  let status = unsafe AudioConverterFillComplexBuffer(
    converter, procedure, userData, packets, output, packetDescriptions)
  let alone = AudioStreamPacketDependencyDescription(
    mIsIndependentlyDecodable: 1, mPreRollCount: 0, mFlags: 0, mReserved: 0)
  for index in unsafe 0..<Int(packets.pointee) { unsafe dependencies[index] = alone }
  return status
}

// The declaration is hidden from Swift: `@c` cannot check a signature with a block.

/// Loads the libraries of codecs on a separate thread, and calls a block when they are there.
///
/// Context: any but a device's thread. The corresponding Core Audio function is `AudioConverterPrepare`.
@_cdecl("AudioConverterPrepare")
public func prepareConverters(
  _ flags: UInt32, _ reserved: UnsafeMutableRawPointer?, _ completion: UnsafeRawPointer?
) {
  typealias Function = @convention(c) (UnsafeMutableRawPointer?, OSStatus) -> Void
  let block = unsafe Block(completion)
  let isKnown = unsafe flags == 0 && reserved == nil
  let thread = startThread {
    var status = isKnown ? noErr : kAudio_ParamError
    if isKnown {
      do { _ = unsafe try CodecLibrary.load() } catch {
        status = kAudioConverterErr_FormatNotSupported
      }
    }
    guard let block else { return }
    unsafe block.function(as: Function.self)(block.pointer, status)
  }
  if let thread { pthread_detach(thread) }
}
