// The functions of AudioFileStream.h that parse a stream and deliver packets.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileProperties
public import CAudioToolbox

/// Begins a stream.
///
/// - Returns: -50 without the functions or a place for the handle; `typ?` for a hint that no container has.
///
/// Context: control.
@c @implementation
public func AudioFileStreamOpen(
  _ clientData: UnsafeMutableRawPointer?, _ listener: AudioFileStream_PropertyListenerProc?,
  _ packets: AudioFileStream_PacketsProc?, _ typeHint: AudioFileTypeID,
  _ outStream: UnsafeMutablePointer<AudioFileStreamHandle?>?
) -> OSStatus {
  guard let outStream = unsafe outStream, let listener = unsafe listener,
    let packets = unsafe packets
  else { return kAudio_ParamError }
  return OpenedFile.status { () throws(AudioFileFailure) in
    guard
      typeHint == 0 || typeHint == PacketFile.decodedType
        || Containers.readableTypes.contains(typeHint)
    else { throw .fileType }
    unsafe outStream.pointee = OpenedStream.insert(
      PacketStream(hint: typeHint, decoding: PacketFile.openDecoded), clientData, listener, packets)
  }
}

/// Parses the next bytes of a stream, in pieces of any size, and calls the functions with new
/// properties and packets.
///
/// Kinds without packets here are decoded once a call without bytes ends the stream.
///
/// - Returns: `typ?`, `dta?`, `fmt?` for data that no container reads; `optm` when the table of the
///   packets is behind them. `dsc!` for a gap that nothing can be found behind; `nope` from within
///   its own functions. The same again afterwards.
///
/// Context: control.
@c @implementation
public func AudioFileStreamParseBytes(
  _ stream: AudioFileStreamHandle?, _ byteCount: UInt32, _ data: UnsafeRawPointer?,
  _ flags: AudioFileStreamParseFlags
) -> OSStatus {
  guard unsafe data != nil || byteCount == 0 else { return kAudio_ParamError }
  return unsafe OpenedStream.call(stream) { (opened) throws(AudioFileFailure) in
    guard !opened.isParsing else { throw .illegal }
    opened.isParsing = true
    defer { opened.isParsing = false }
    try unsafe opened.stream.parse(
      UnsafeRawBufferPointer(start: data, count: Int(byteCount)),
      isDiscontinuous: flags & kAudioFileStreamParseFlag_Discontinuity != 0
    ) { file in
      for property in StreamProperties.known(opened.stream, file) where !opened.isClosed {
        var flags = kAudioFileStreamPropertyFlag_PropertyIsCached
        unsafe opened.listener(opened.clientData, stream, property, &flags)
      }
    } deliver: { delivery in
      guard !opened.isClosed else { return }
      var descriptions = delivery.descriptions
      unsafe delivery.bytes.withUnsafeBytes { bytes in
        unsafe descriptions.withUnsafeMutableBufferPointer {
          unsafe opened.packets(
            opened.clientData, UInt32(bytes.count), delivery.packetCount, bytes.baseAddress,
            $0.isEmpty ? nil : $0.baseAddress)
        }
      }
    }
  }
}

/// Finds the start of a packet, from the start of the sound; the next bytes count as those from
/// there on.
///
/// - Returns: `pck?` for none; `nope` before the sound was reached.
///
/// Context: control.
@c @implementation
public func AudioFileStreamSeek(
  _ stream: AudioFileStreamHandle?, _ packet: Int64,
  _ outByteOffset: UnsafeMutablePointer<Int64>?,
  _ ioFlags: UnsafeMutablePointer<AudioFileStreamSeekFlags>?
) -> OSStatus {
  guard let outByteOffset = unsafe outByteOffset else { return kAudio_ParamError }
  return unsafe OpenedStream.call(stream) { (opened) throws(AudioFileFailure) in
    guard !opened.isParsing else { throw .illegal }
    let (offset, isEstimate) = try opened.stream.seek(toPacket: packet)
    unsafe outByteOffset.pointee = offset
    unsafe ioFlags?.pointee = isEstimate ? kAudioFileStreamSeekFlag_OffsetIsEstimated : 0
  }
}

/// Ends a stream; allowed from within its functions, which are then not called any more.
///
/// Context: control.
@c @implementation
public func AudioFileStreamClose(_ stream: AudioFileStreamHandle?) -> OSStatus {
  unsafe OpenedStream.close(stream)
}
