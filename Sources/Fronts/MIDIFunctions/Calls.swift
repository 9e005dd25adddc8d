// Common parts of the functions of this folder: statuses, names, and pointers that C code keeps valid.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import MIDIMessages
import MIDIPorts

/// Runs a body that may be refused, and returns Core MIDI's status.
func status(_ body: () throws(MIDIError) -> Void) -> OSStatus {
  do throws(MIDIError) {
    try body()
    return noErr
  } catch {
    return error.status
  }
}

/// A pointer that C code keeps valid, and uses from any thread.
@safe struct ForeignPointer: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
  init(_ pointer: UnsafeMutableRawPointer?) { unsafe self.pointer = unsafe pointer }
}

/// The text of a name.
///
/// - Throws: `.argument` for null.
func text(_ name: CFStringRef?) throws(MIDIError) -> String {
  guard let text = unsafe String(cfString: name) else { throw .argument }
  return text
}

/// The form of a protocol.
///
/// - Throws: `.argument` for another number.
func form(_ protocolID: MIDIProtocolID) throws(MIDIError) -> MIDIForm {
  switch protocolID {
  case kMIDIProtocol_1_0: .universal1
  case kMIDIProtocol_2_0: .universal2
  default: throw .argument
  }
}

/// Makes an object, and hands its number over.
func make(
  _ out: UnsafeMutablePointer<MIDIObjectRef>?,
  _ body: (MIDISystem) throws(MIDIError) -> MIDIRef
) -> OSStatus {
  status { () throws(MIDIError) in
    guard let out = unsafe out else { throw .argument }
    let made = try body(MIDISystem.shared())
    unsafe out.pointee = made
  }
}
