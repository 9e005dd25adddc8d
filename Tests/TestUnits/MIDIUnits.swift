// A test unit whose sound shows its incoming MIDI and the host's song; it sends the MIDI on.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
public import CAudioToolbox

/// Output 0: at the frame of each message, its status times 65536 + its second byte times 256 + its
/// third; output 1: the lengths of the messages of that frame. Sends every message to its MIDI output
/// 0, and notes to output 1 as well.
struct MIDIKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let words = unsafe slice.output(bus: 0, channel: 0)
    let lengths = unsafe slice.output(bus: 0, channel: 1)
    for frame in 0..<slice.frameCount {
      unsafe words[frame] = 0
      unsafe lengths[frame] = 0
    }
    for index in 0..<slice.midiEventCount {
      let event = slice.midiEvent(index)
      var word = 0
      for byte in 0..<3 {
        word = word * 256 + (byte < event.byteCount ? unsafe Int(event.bytes[byte]) : 0)
      }
      unsafe words[event.frame] = Float(word)
      unsafe lengths[event.frame] += Float(event.byteCount)
      unsafe slice.sendMIDI(frame: event.frame, event.bytes, count: event.byteCount)
      if unsafe event.bytes[0] & 0xE0 == 0x80 {
        unsafe slice.sendMIDI(output: 1, frame: event.frame, event.bytes, count: event.byteCount)
      }
    }
    recordSong(slice)
  }

  @_noLocks private func recordSong(_ slice: borrowing RenderSlice) {
    let time = slice.beatAndTempo()
    slice.setMeter(0, Float(time?.beat ?? -1))
    slice.setMeter(1, Float(time?.tempo ?? -1))
    let bar = slice.musicalTimeLocation()
    slice.setMeter(2, Float(bar?.signatureNumerator ?? -1))
    slice.setMeter(3, Float(bar?.barDownBeat ?? -1))
    let transport = slice.transportState()
    slice.setMeter(4, transport.map { $0.isPlaying ? 1 : 0 } ?? -1)
    let recording = transport?.isRecording
    slice.setMeter(5, recording.map { $0 ? 1 : 0 } ?? -1)
    slice.setMeter(6, Float(transport?.sampleInTimeLine ?? -1))
    slice.setMeter(7, Float(slice.cycleOffset))
  }
}

extension TestUnits {
  /// The unit as an instrument, a music effect, a MIDI processor, or any other type.
  ///
  /// Meters 0 to 7: beat, tempo, numerator, down beat, playing, recording, frame, offset of the last
  /// slice; -1 if the host reports nothing. Parameter 8 does nothing but can be scheduled.
  public static func midi(type: OSType) throws(AuricleError) -> AudioUnit {
    var parameters = (0..<8).map {
      ParameterDefinition(
        id: AudioUnitParameterID($0), name: "meter \($0)", unit: kAudioUnitParameterUnit_Generic,
        range: -1...1e9, defaultValue: -1, isMeter: true)
    }
    parameters.append(
      ParameterDefinition(
        id: 8, name: "cut", unit: kAudioUnitParameterUnit_Generic, range: 0...1, defaultValue: 0))
    var definition = UnitDefinition(
      parameters: parameters,
      inputs: type == kAudioUnitType_MusicDevice ? [] : [BusDefinition(name: "Input")],
      processesInPlace: false)
    definition.midiOutputs = ["Thru", "Notes"]
    if type == kAudioUnitType_MusicDevice {
      definition.groups = ElementDefinition(name: "Channel", counts: 8...8)
    }
    var description = AudioComponentDescription()
    description.componentType = type
    return unsafe try open(
      "MIDI",
      unsafe makeAudioUnit(MIDIKernel.self, definition, &description) {
        unsafe runKernel(MIDIKernel.self, $0, $1)
      })
  }
}
