// A host that plays the unit which shows its MIDI, through the functions of its selectors.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

/// A unit that shows its MIDI, with the functions of its selectors.
@safe final class MIDIHost {
  let unit: AudioUnit
  private var time = 0.0

  init(_ type: OSType = kAudioUnitType_MusicDevice) throws {
    unit = try TestUnits.midi(type: type)
    if type != kAudioUnitType_MusicDevice {
      try unsafe unit.setInputCallback(element: 0, { _, _, _, _, _, _ in 0 }, refCon: nil)
    }
    try unit.initialize()
  }

  func method<Procedure>(_ selector: Int16, _ type: Procedure.Type) throws -> Procedure {
    let plugIn = unsafe unit.instance.pointee.plugIn
    let lookUp = unsafe try #require(unsafe plugIn?.pointee.Lookup)
    let found = unsafe try #require(unsafe lookUp(selector))
    return unsafe unsafeBitCast(found, to: type)
  }

  var plugIn: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(unit.instance.pointee.plugIn)
  }

  func event(_ status: UInt32, _ data1: UInt32, _ data2: UInt32, _ offset: UInt32) throws
    -> OSStatus
  {
    unsafe try method(kMusicDeviceMIDIEventSelect, MusicDeviceMIDIEventProc.self)(
      plugIn, status, data1, data2, offset)
  }

  func sysEx(_ bytes: [UInt8]) throws -> OSStatus {
    unsafe try method(kMusicDeviceSysExSelect, MusicDeviceSysExProc.self)(
      plugIn, bytes, UInt32(bytes.count))
  }

  /// Sends universal packets, each in a separate packet of the list.
  func list(_ packets: [[UInt32]], offset: UInt32) throws -> OSStatus {
    var words: [UInt32] = [1, UInt32(packets.count)]
    for packet in packets { words += [0, 0, UInt32(packet.count)] + packet }
    return unsafe try words.withUnsafeBytes { (bytes) in
      unsafe try method(kMusicDeviceMIDIEventListSelect, MusicDeviceMIDIEventListProc.self)(
        plugIn, offset, bytes.baseAddress?.assumingMemoryBound(to: MIDIEventList.self))
    }
  }

  /// Renders and returns the received messages: frame, word, bytes.
  func render(_ frames: Int = 256) throws -> [[Int]] {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: frames)
    buffers.setFrameCount(frames)
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: time)
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &stamp, frameCount: UInt32(frames), buffers: buffers.list)
    #expect(status == 0)
    time += Double(frames)
    return (0..<frames).compactMap { frame in
      let word = unsafe Int(buffers.channel(0)[frame])
      let count = unsafe Int(buffers.channel(1)[frame])
      return count == 0 ? nil : [frame, word, count]
    }
  }
}
