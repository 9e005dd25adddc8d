// MIDI that units send: as the callback of version 2 and the block of version 3, either from the other.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A packet list on the way from a block to a callback, with its memory.
final class MIDIOutputPackets: @unchecked Sendable {
  private static let bytes = 4_096
  private let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
  /// The first frame of the cycle.
  var cycleStart: AUEventSampleTime = 0
  deinit { memory.deallocate() }

  /// Calls with a list of one packet, whose time is its frame in the cycle. Render thread.
  func send(
    _ time: AUEventSampleTime, _ length: Int, _ bytes: UnsafePointer<UInt8>,
    _ body: (UnsafePointer<MIDIPacketList>) -> OSStatus
  ) -> OSStatus {
    let isImmediate =
      time >= AUEventSampleTimeImmediate && time < AUEventSampleTimeImmediate + 4_096
    let frame = isImmediate ? time - AUEventSampleTimeImmediate : Swift.max(time - cycleStart, 0)
    let list = memory.bindMemory(to: MIDIPacketList.self, capacity: 1)
    let packet = MIDIPacketListInit(list)
    MIDIPacketListAdd(list, MIDIOutputPackets.bytes, packet, MIDITimeStamp(frame), length, bytes)
    guard list.pointee.numPackets == 1 else { return kAudio_ParamError }
    return body(list)
  }
}

extension PlugInInstance {
  /// Has the unit's MIDI go to a host's callback; none without a procedure.
  func setMIDIOutput(_ callback: AUMIDIOutputCallbackStruct) {
    guard let procedure = unsafeBitCast(callback.midiOutputCallback, to: AUMIDIOutputCallback?.self)
    else {
      unit?.midiOutputEventBlock = nil
      return
    }
    let (userData, packets) = (callback.userData, midiOutput)
    unit?.midiOutputEventBlock = { time, cable, length, bytes in
      packets.send(time, length, bytes) { list in
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(packets.cycleStart)
        stamp.mFlags = .sampleTimeValid
        return procedure(userData, &stamp, UInt32(cable), list)
      }
    }
  }
}

/// The block of a host that receives the MIDI of a unit of version 2.
package final class MIDIOutputReceiver: @unchecked Sendable {
  let block: AUMIDIOutputEventBlock
  package init(_ block: @escaping AUMIDIOutputEventBlock) { self.block = block }

  /// Has a unit send to it; a unit that sends none refuses.
  package func attach(to unit: AudioUnit) -> OSStatus {
    var callback = AUMIDIOutputCallbackStruct(
      midiOutputCallback: receiveMIDI, userData: Unmanaged.passUnretained(self).toOpaque())
    return AudioUnitSetProperty(
      unit, kAudioUnitProperty_MIDIOutputCallback, kAudioUnitScope_Global, 0, &callback,
      UInt32(MemoryLayout.size(ofValue: callback)))
  }
}

/// Bytes of a packet before its message.
private let packetHeader = 10

private func receiveMIDI(
  _ userData: UnsafeMutableRawPointer?, _ time: UnsafePointer<AudioTimeStamp>, _ output: UInt32,
  _ list: UnsafePointer<MIDIPacketList>
) -> OSStatus {
  guard let userData else { return kAudio_ParamError }
  return Unmanaged<MIDIOutputReceiver>.fromOpaque(userData)._withUnsafeGuaranteedRef { receiver in
    let start = AUEventSampleTime(time.pointee.mSampleTime)
    var status = noErr
    for packet in list.unsafeSequence() {
      let bytes = (UnsafeRawPointer(packet) + packetHeader).assumingMemoryBound(to: UInt8.self)
      status = receiver.block(
        start + AUEventSampleTime(packet.pointee.timeStamp), UInt8(truncatingIfNeeded: output),
        Int(packet.pointee.length), bytes)
    }
    return status
  }
}
