// Four functions of a caller as a store of bytes.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox

/// The store behind AudioFileOpenWithCallbacks and AudioFileInitializeWithCallbacks.
@unsafe final class CallbackStore: @unsafe ByteStore {
  private let context: UnsafeMutableRawPointer?
  private let readProcedure: AudioFile_ReadProc
  private let writeProcedure: AudioFile_WriteProc?
  private let sizeProcedure: AudioFile_GetSizeProc
  private let resizeProcedure: AudioFile_SetSizeProc?

  init(
    _ context: UnsafeMutableRawPointer?, read: @escaping AudioFile_ReadProc,
    write: AudioFile_WriteProc?, size: @escaping AudioFile_GetSizeProc,
    resize: AudioFile_SetSizeProc?
  ) {
    unsafe self.context = context
    unsafe readProcedure = read
    unsafe writeProcedure = write
    unsafe sizeProcedure = size
    unsafe resizeProcedure = resize
  }

  var byteCount: Int64 {
    get throws(AudioFileFailure) { max(0, unsafe sizeProcedure(context)) }
  }

  func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard let address = buffer.baseAddress else { return 0 }
    let total = unsafe try byteCount
    var done = 0
    // A procedure may deliver less than it was asked for: the end is where the store says it is.
    while done < buffer.count, position + Int64(done) < total {
      var count: UInt32 = 0
      let wanted = UInt32(clamping: buffer.count - done)
      let status = unsafe readProcedure(
        context, position + Int64(done), wanted, address + done, &count)
      guard status == noErr || status == kAudioFileEndOfFileError else {
        throw AudioFileFailure(status)
      }
      guard count > 0, count <= wanted else { break }
      done += Int(count)
    }
    return done
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(AudioFileFailure) {
    guard let writeProcedure = unsafe writeProcedure else { throw .permission }
    guard let address = bytes.baseAddress else { return }
    var done = 0
    while done < bytes.count {
      var count: UInt32 = 0
      let wanted = UInt32(clamping: bytes.count - done)
      let status = unsafe writeProcedure(
        context, position + Int64(done), wanted, address + done, &count)
      guard status == noErr else { throw AudioFileFailure(status) }
      guard count > 0, count <= wanted else { throw .unspecified }
      done += Int(count)
    }
  }

  func resize(to byteCount: Int64) throws(AudioFileFailure) {
    guard let resizeProcedure = unsafe resizeProcedure else {
      // Without it the store cannot get shorter; it gets longer by writing.
      guard unsafe byteCount >= (try self.byteCount) else { throw .permission }
      return
    }
    let status = unsafe resizeProcedure(context, byteCount)
    guard status == noErr else { throw AudioFileFailure(status) }
  }
}
