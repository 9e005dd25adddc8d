// Instruments: notes, and sounds of banks and files.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A node that plays notes.
open class AVAudioUnitMIDIInstrument: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
  /// A node of an instrument's component; one that is unknown ends the program.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(description: audioComponentDescription)
  }

  /// Begins a note.
  open func startNote(_ note: UInt8, withVelocity velocity: UInt8, onChannel channel: UInt8) {
    sendMIDIEvent(0x90 | channel & 15, data1: note, data2: velocity)
  }
  /// Ends a note.
  open func stopNote(_ note: UInt8, onChannel channel: UInt8) {
    sendMIDIEvent(0x80 | channel & 15, data1: note, data2: 0)
  }
  /// Moves a controller.
  open func sendController(_ controller: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    sendMIDIEvent(0xB0 | channel & 15, data1: controller, data2: value)
  }
  /// Bends the pitch, 0 to 16383.
  open func sendPitchBend(_ pitchBend: UInt16, onChannel channel: UInt8) {
    sendMIDIEvent(
      0xE0 | channel & 15, data1: UInt8(pitchBend & 127), data2: UInt8(pitchBend >> 7 & 127))
  }
  /// Presses on all keys.
  open func sendPressure(_ pressure: UInt8, onChannel channel: UInt8) {
    sendMIDIEvent(0xD0 | channel & 15, data1: pressure)
  }
  /// Presses on a key.
  open func sendPressure(forKey key: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    sendMIDIEvent(0xA0 | channel & 15, data1: key, data2: value)
  }
  /// Chooses a sound.
  open func sendProgramChange(_ program: UInt8, onChannel channel: UInt8) {
    sendMIDIEvent(0xC0 | channel & 15, data1: program)
  }
  /// Chooses a sound of a bank.
  open func sendProgramChange(
    _ program: UInt8, bankMSB: UInt8, bankLSB: UInt8, onChannel channel: UInt8
  ) {
    sendController(0, withValue: bankMSB, onChannel: channel)
    sendController(32, withValue: bankLSB, onChannel: channel)
    sendProgramChange(program, onChannel: channel)
  }
  /// Sends a message with two numbers.
  open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8, data2: UInt8) {
    MusicDeviceMIDIEvent(audioUnit, UInt32(midiStatus), UInt32(data1), UInt32(data2), 0)
  }
  /// Sends a message with a number.
  open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8) {
    sendMIDIEvent(midiStatus, data1: data1, data2: 0)
  }
  /// Sends a system exclusive message.
  open func sendMIDISysExEvent(_ midiData: Data) {
    midiData.withUnsafeBytes { bytes in
      _ = MusicDeviceSysEx(
        audioUnit, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count))
    }
  }
  /// Sends universal packets.
  open func send(_ eventList: UnsafePointer<MIDIEventList>) {
    MusicDeviceMIDIEventList(audioUnit, 0, eventList)
  }
}

/// An instrument of sampled sounds.
open class AVAudioUnitSampler: AVAudioUnitMIDIInstrument, @unchecked Sendable {
  /// A sampler that plays a sine until it has a sound.
  public init() {
    super.init(
      audioComponentDescription: auricleUnit(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler))
  }

  private func load(_ url: URL, _ type: UInt8, _ program: UInt8, _ msb: UInt8, _ lsb: UInt8) throws
  {
    let reference = url as CFURL
    try withExtendedLifetime(reference) {
      var data = AUSamplerInstrumentData(
        fileURL: .passUnretained(reference), instrumentType: type, bankMSB: msb, bankLSB: lsb,
        presetID: program)
      try auricleCheck(
        AudioUnitSetProperty(
          audioUnit, kAUSamplerProperty_LoadInstrument, kAudioUnitScope_Global, 0, &data,
          UInt32(MemoryLayout.size(ofValue: data))))
    }
  }
  /// Loads a sound of a bank, SF2 or DLS.
  open func loadSoundBankInstrument(at bankURL: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8)
    throws
  {
    try load(bankURL, UInt8(kInstrumentType_SF2Preset), program, bankMSB, bankLSB)
  }
  /// Loads a preset, an instrument of EXS24, or a file of sound.
  open func loadInstrument(at instrumentURL: URL) throws {
    switch instrumentURL.pathExtension.lowercased() {
    case "aupreset": try loadPreset(at: instrumentURL)
    case "exs": try load(instrumentURL, UInt8(kInstrumentType_EXS24), 0, 0, 0)
    case "sf2", "dls": try load(instrumentURL, UInt8(kInstrumentType_SF2Preset), 0, 0x79, 0)
    default: try load(instrumentURL, UInt8(kInstrumentType_Audiofile), 0, 0, 0)
    }
  }
  /// Loads files of sound, each in the zone that it names.
  open func loadAudioFiles(at audioFiles: [URL]) throws {
    let array = NSArray(array: audioFiles.map { $0 as NSURL })
    try withExtendedLifetime(array) {
      var reference = Unmanaged.passUnretained(array)
      try auricleCheck(
        AudioUnitSetProperty(
          audioUnit, kAUSamplerProperty_LoadAudioFiles, kAudioUnitScope_Global, 0, &reference, 8))
    }
  }
  /// Decibels of all, -90 to 12.
  open var overallGain: Float {
    get { parameter(Int(kAUSamplerParam_Gain)) }
    set { set(Int(kAUSamplerParam_Gain), newValue, in: -90...12) }
  }
  /// The older name of the gain.
  open var masterGain: Float {
    get { overallGain }
    set { overallGain = newValue }
  }
  /// From -100, left, to 100, right.
  open var stereoPan: Float {
    get { parameter(Int(kAUSamplerParam_Pan)) * 100 }
    set { set(Int(kAUSamplerParam_Pan), newValue / 100, in: -1...1) }
  }
  /// Cents, -2400 to 2400.
  open var globalTuning: Float {
    get {
      parameter(Int(kAUSamplerParam_CoarseTuning)) * 100
        + parameter(Int(kAUSamplerParam_FineTuning))
    }
    set {
      let semitones = (newValue / 100).rounded(.towardZero)
      set(Int(kAUSamplerParam_CoarseTuning), semitones, in: -24...24)
      set(Int(kAUSamplerParam_FineTuning), newValue - semitones * 100, in: -99...99)
    }
  }
}
