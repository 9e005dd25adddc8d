// The functions of AudioFile.h that read and write bytes and packets.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
public import CAudioToolbox

/// Reads bytes of the sound.
///
/// - Returns: -39 when the sound ends before the last requested byte; the count is that of the
///   bytes read.
///
/// Context: control.
@c @implementation
public func AudioFileReadBytes(
  _ file: AudioFileHandle?, _ useCache: Bool, _ startingByte: Int64,
  _ ioByteCount: UnsafeMutablePointer<UInt32>?, _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let ioByteCount = unsafe ioByteCount, let outBuffer = unsafe outBuffer, startingByte >= 0
  else { return kAudio_ParamError }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let wanted = unsafe ioByteCount.pointee
    unsafe ioByteCount.pointee = 0
    let count = try unsafe file.readBytes(
      at: startingByte, into: UnsafeMutableRawBufferPointer(start: outBuffer, count: Int(wanted)))
    unsafe ioByteCount.pointee = UInt32(count)
    if count < Int(wanted) { throw .endOfFile }
  }
}

/// Writes bytes of the sound. Few at a time cost no call of the system each.
///
/// - Returns: `op??` for formats whose packets differ in size; `pck?` behind the end; `optm` when the sound cannot grow.
///
/// Context: control.
@c @implementation
public func AudioFileWriteBytes(
  _ file: AudioFileHandle?, _ useCache: Bool, _ startingByte: Int64,
  _ ioByteCount: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeRawPointer?
) -> OSStatus {
  guard let ioByteCount = unsafe ioByteCount, let buffer = unsafe buffer, startingByte >= 0 else {
    return kAudio_ParamError
  }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let count = Int(unsafe ioByteCount.pointee)
    unsafe ioByteCount.pointee = 0
    try unsafe file.writeBytes(
      UnsafeRawBufferPointer(start: buffer, count: count), at: startingByte)
    unsafe ioByteCount.pointee = UInt32(count)
  }
}

/// Reads as many whole packets as there are, are requested, and fit.
///
/// - Returns: -50 when not one fits, or descriptions are missing for packets that differ in size.
///   -39 when the file has fewer packets than requested; the counts are those of the packets read.
///
/// Context: control.
@c @implementation
public func AudioFileReadPacketData(
  _ file: AudioFileHandle?, _ useCache: Bool, _ ioByteCount: UnsafeMutablePointer<UInt32>?,
  _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ startingPacket: Int64, _ ioPacketCount: UnsafeMutablePointer<UInt32>?,
  _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let ioByteCount = unsafe ioByteCount, let ioPacketCount = unsafe ioPacketCount,
    unsafe ioByteCount.pointee > 0 || outBuffer == nil, unsafe ioPacketCount.pointee > 0
  else { return kAudio_ParamError }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let wanted = unsafe ioPacketCount.pointee
    let room = unsafe ioByteCount.pointee
    unsafe ioPacketCount.pointee = 0
    unsafe ioByteCount.pointee = 0
    let isVariable = file.format.mBytesPerPacket == 0
    guard isVariable ? unsafe outPacketDescriptions != nil : unsafe outBuffer != nil else {
      throw .parameter
    }
    let delivery = try unsafe file.readPackets(
      from: startingPacket, count: wanted,
      into: UnsafeMutableRawBufferPointer(start: outBuffer, count: outBuffer == nil ? 0 : Int(room))
    ) { unsafe outPacketDescriptions?[$0] = $1 }
    unsafe ioPacketCount.pointee = delivery.packetCount
    unsafe ioByteCount.pointee = delivery.byteCount
    if delivery.isAtEnd { throw .endOfFile }
  }
}

/// Reads packets into a buffer that has room for all that are asked for.
///
/// - Returns: noErr with fewer packets, or none, at the end of the file.
///
/// Context: control.
@c @implementation
public func AudioFileReadPackets(
  _ file: AudioFileHandle?, _ useCache: Bool, _ outByteCount: UnsafeMutablePointer<UInt32>?,
  _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ startingPacket: Int64, _ ioPacketCount: UnsafeMutablePointer<UInt32>?,
  _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let ioPacketCount = unsafe ioPacketCount, let outBuffer = unsafe outBuffer else {
    return kAudio_ParamError
  }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let wanted = unsafe ioPacketCount.pointee
    unsafe ioPacketCount.pointee = 0
    unsafe outByteCount?.pointee = 0
    let hasRoom = unsafe outPacketDescriptions != nil
    guard hasRoom || file.format.mBytesPerPacket > 0 else { throw .parameter }
    let delivery = try unsafe file.readPackets(
      from: startingPacket, count: wanted,
      into: UnsafeMutableRawBufferPointer(start: outBuffer, count: Int(UInt32.max))
    ) { unsafe outPacketDescriptions?[$0] = $1 }
    unsafe ioPacketCount.pointee = delivery.packetCount
    unsafe outByteCount?.pointee = delivery.byteCount
  }
}

/// Writes packets.
///
/// Packets of one size go to their place, and their bytes follow from their number, with any count
/// of bytes. Packets that differ in size can be appended only.
///
/// - Returns: `pck?` for a place behind the end, or one where packets cannot be appended; -50 without descriptions
///   that are needed.
///
/// Context: control.
@c @implementation
public func AudioFileWritePackets(
  _ file: AudioFileHandle?, _ useCache: Bool, _ byteCount: UInt32,
  _ packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?, _ startingPacket: Int64,
  _ ioPacketCount: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeRawPointer?
) -> OSStatus {
  guard let ioPacketCount = unsafe ioPacketCount, let buffer = unsafe buffer else {
    return kAudio_ParamError
  }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let count = unsafe ioPacketCount.pointee
    unsafe ioPacketCount.pointee = 0
    if file.format.mBytesPerPacket > 0 {
      try unsafe file.writePackets(count, from: startingPacket, buffer)
      unsafe ioPacketCount.pointee = count
    } else {
      guard let packetDescriptions = unsafe packetDescriptions else { throw .parameter }
      unsafe ioPacketCount.pointee = try unsafe file.appendPackets(
        from: startingPacket, UnsafeRawBufferPointer(start: buffer, count: Int(byteCount)),
        UnsafeBufferPointer(start: packetDescriptions, count: Int(count)))
    }
  }
}

/// Writes packets, and their dependencies: none, in every format that is written here.
///
/// - Returns: `dep?` where a packet depends on others; otherwise as `AudioFileWritePackets`.
///
/// Context: control.
@c @implementation
public func AudioFileWritePacketsWithDependencies(
  _ file: AudioFileHandle?, _ useCache: Bool, _ byteCount: UInt32,
  _ packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  _ packetDependencies: UnsafePointer<AudioStreamPacketDependencyDescription>?,
  _ startingPacket: Int64, _ ioPacketCount: UnsafeMutablePointer<UInt32>?,
  _ buffer: UnsafeRawPointer?
) -> OSStatus {
  guard let ioPacketCount = unsafe ioPacketCount else { return kAudio_ParamError }
  let dependencies = unsafe UnsafeBufferPointer(
    start: packetDependencies,
    count: packetDependencies == nil ? 0 : Int(ioPacketCount.pointee))
  guard unsafe dependencies.allSatisfy({ $0.mIsIndependentlyDecodable == 1 }) else {
    unsafe ioPacketCount.pointee = 0
    return kAudioFileInvalidPacketDependencyError
  }
  return unsafe AudioFileWritePackets(
    file, useCache, byteCount, packetDescriptions, startingPacket, ioPacketCount, buffer)
}
