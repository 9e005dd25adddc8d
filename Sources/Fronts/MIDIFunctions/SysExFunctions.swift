// The functions of MIDIServices.h that send long system exclusive messages bit by bit.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MIDIMessages
import MIDIPorts

/// Sends a system exclusive message on a thread of the library.
///
/// - Returns: -10834 for another object; -10832 for a source; -50 for a null pointer.
///
/// Context: control; the request lives until it is complete.
@c @implementation
public func MIDISendSysex(_ request: UnsafeMutablePointer<MIDISysexSendRequest>?) -> OSStatus {
  status { () throws(MIDIError) in
    guard let request = unsafe request, unsafe request.pointee.data != nil else { throw .argument }
    let held = unsafe ForeignPointer(UnsafeMutableRawPointer(request))
    let next: SysExQueue.Next = { most in
      let request = unsafe held.pointer?.assumingMemoryBound(to: MIDISysexSendRequest.self)
      guard let request = unsafe request, let data = unsafe request.pointee.data,
        unsafe !request.pointee.complete
      else { return nil }
      let count = unsafe min(most, Int(request.pointee.bytesToSend))
      guard count > 0 else { return nil }
      let piece = unsafe Array(UnsafeBufferPointer(start: data, count: count))
      return SysExQueue.Piece(events: .bytes([TimedBytes(0, piece)]), byteCount: count) {
        let request = unsafe held.pointer?.assumingMemoryBound(to: MIDISysexSendRequest.self)
        unsafe request?.pointee.data? += count
        unsafe request?.pointee.bytesToSend -= UInt32(count)
      }
    }
    let destination = unsafe request.pointee.destination
    try MIDISystem.shared().sendSysEx(to: destination, next) {
      let request = unsafe held.pointer?.assumingMemoryBound(to: MIDISysexSendRequest.self)
      guard let request = unsafe request else { return }
      let call = unsafe request.pointee.completionProc
      unsafe request.pointee.complete = true
      unsafe call?(request)
    }
  }
}

/// Sends a system exclusive message of universal packets of two words on a thread of the library.
///
/// - Returns: As `MIDISendSysex`; -50 for a number of words that is odd.
///
/// Context: control; the request lives until it is complete.
@c @implementation
public func MIDISendUMPSysex(_ request: UnsafeMutablePointer<MIDISysexSendRequestUMP>?) -> OSStatus
{
  unsafe sendWords(request, messageSize: 2, type: 3)
}

/// Sends a system exclusive message of eight bits, of universal packets of four words, on a thread of the library.
///
/// - Returns: As `MIDISendSysex`; -50 for a number of words that is no multiple of four.
///
/// Context: control; the request lives until it is complete.
@c @implementation
public func MIDISendUMPSysex8(
  _ request: UnsafeMutablePointer<MIDISysexSendRequestUMP>?
) -> OSStatus {
  unsafe sendWords(request, messageSize: 4, type: 5)
}

private func sendWords(
  _ request: UnsafeMutablePointer<MIDISysexSendRequestUMP>?, messageSize: Int, type: UInt32
) -> OSStatus {
  status { () throws(MIDIError) in
    guard let request = unsafe request, let words = unsafe request.pointee.words,
      unsafe Int(request.pointee.wordsToSend) % messageSize == 0,
      unsafe request.pointee.wordsToSend == 0 || words[0] >> 28 == type
    else { throw .argument }
    let held = unsafe ForeignPointer(UnsafeMutableRawPointer(request))
    let next: SysExQueue.Next = { most in
      let request = unsafe held.pointer?.assumingMemoryBound(to: MIDISysexSendRequestUMP.self)
      guard let request = unsafe request, let words = unsafe request.pointee.words,
        unsafe !request.pointee.complete
      else { return nil }
      let whole = max(messageSize, most / 3 / messageSize * messageSize)
      let count = unsafe min(whole, UniversalWords.mostInPacket, Int(request.pointee.wordsToSend))
      guard count > 0 else { return nil }
      let piece = unsafe Array(UnsafeBufferPointer(start: words, count: count))
      return SysExQueue.Piece(
        events: .words(.universal1, [TimedWords(0, piece)]), byteCount: count * 3
      ) {
        let request = unsafe held.pointer?.assumingMemoryBound(to: MIDISysexSendRequestUMP.self)
        unsafe request?.pointee.words? += count
        unsafe request?.pointee.wordsToSend -= UInt32(count)
      }
    }
    let destination = unsafe request.pointee.destination
    try MIDISystem.shared().sendSysEx(to: destination, next) {
      let request = unsafe held.pointer?.assumingMemoryBound(to: MIDISysexSendRequestUMP.self)
      guard let request = unsafe request else { return }
      let call = unsafe request.pointee.completionProc
      unsafe request.pointee.complete = true
      unsafe call?(request)
    }
  }
}
