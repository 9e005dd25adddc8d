// The effects with properties: delay, reverb, distortion, equalizer, time and pitch, speed.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An echo.
open class AVAudioUnitDelay: AVAudioUnitEffect, @unchecked Sendable {
  /// An echo of a second.
  public init() {
    super.init(
      audioComponentDescription: auricleUnit(kAudioUnitType_Effect, kAudioUnitSubType_Delay))
    wetDryMix = 100
  }
  /// Seconds, 0 to 2.
  open var delayTime: TimeInterval {
    get { TimeInterval(parameter(Int(kDelayParam_DelayTime))) }
    set { set(Int(kDelayParam_DelayTime), Float(newValue), in: 0...2) }
  }
  /// Percent that comes back, -100 to 100.
  open var feedback: Float {
    get { parameter(Int(kDelayParam_Feedback)) }
    set { set(Int(kDelayParam_Feedback), newValue, in: -100...100) }
  }
  /// The highest frequency of echoes, Hz.
  open var lowPassCutoff: Float {
    get { parameter(Int(kDelayParam_LopassCutoff)) }
    set {
      set(Int(kDelayParam_LopassCutoff), newValue, in: 10...Float(outputFormats[0].sampleRate / 2))
    }
  }
  /// Percent of the echo, 0 to 100.
  open var wetDryMix: Float {
    get { parameter(Int(kDelayParam_WetDryMix)) }
    set { set(Int(kDelayParam_WetDryMix), newValue, in: 0...100) }
  }
}

/// The rooms of a reverb.
public enum AVAudioUnitReverbPreset: Int, Sendable {
  /// A small room.
  case smallRoom = 0
  /// A medium room.
  case mediumRoom = 1
  /// A large room.
  case largeRoom = 2
  /// A medium hall.
  case mediumHall = 3
  /// A large hall.
  case largeHall = 4
  /// A plate.
  case plate = 5
  /// A medium chamber.
  case mediumChamber = 6
  /// A large chamber.
  case largeChamber = 7
  /// A cathedral.
  case cathedral = 8
  /// Another large room.
  case largeRoom2 = 9
  /// Another medium hall.
  case mediumHall2 = 10
  /// A third medium hall.
  case mediumHall3 = 11
  /// Another large hall.
  case largeHall2 = 12
}

/// A reverb.
open class AVAudioUnitReverb: AVAudioUnitEffect, @unchecked Sendable {
  /// A reverb of a medium hall.
  public init() {
    super.init(
      audioComponentDescription: auricleUnit(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2))
    loadFactoryPreset(.mediumHall)
    wetDryMix = 0
  }
  /// Chooses a room; the mix stays.
  open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) {
    let mix = wetDryMix
    loadFactory(preset.rawValue)
    wetDryMix = mix
  }
  /// Percent of the room, 0 to 100.
  open var wetDryMix: Float {
    get { parameter(Int(kReverb2Param_DryWetMix)) }
    set { set(Int(kReverb2Param_DryWetMix), newValue, in: 0...100) }
  }
}

/// The kinds of a distortion.
public enum AVAudioUnitDistortionPreset: Int, Sendable {
  /// Drums with few bits.
  case drumsBitBrush = 0
  /// Drums from a buffer.
  case drumsBufferBeats = 1
  /// Drums of low fidelity.
  case drumsLoFi = 2
  /// A broken loudspeaker.
  case multiBrokenSpeaker = 3
  /// A concert over a telephone.
  case multiCellphoneConcert = 4
  /// Fewer samples, first.
  case multiDecimated1 = 5
  /// Fewer samples, second.
  case multiDecimated2 = 6
  /// Fewer samples, third.
  case multiDecimated3 = 7
  /// Fewer samples, fourth.
  case multiDecimated4 = 8
  /// Distorted funk.
  case multiDistortedFunk = 9
  /// A curve of the third order.
  case multiDistortedCubed = 10
  /// A curve of the second order.
  case multiDistortedSquared = 11
  /// An echo, first.
  case multiEcho1 = 12
  /// An echo, second.
  case multiEcho2 = 13
  /// A short echo, first.
  case multiEchoTight1 = 14
  /// A short echo, second.
  case multiEchoTight2 = 15
  /// Everything at once.
  case multiEverythingIsBroken = 16
  /// Aliens that chatter.
  case speechAlienChatter = 17
  /// Interference from space.
  case speechCosmicInterference = 18
  /// A number that is golden.
  case speechGoldenPi = 19
  /// A tower of a radio.
  case speechRadioTower = 20
  /// Waves.
  case speechWaves = 21
}

/// A distortion.
open class AVAudioUnitDistortion: AVAudioUnitEffect, @unchecked Sendable {
  /// A distortion with the values that it has at first.
  public init() {
    super.init(
      audioComponentDescription: auricleUnit(kAudioUnitType_Effect, kAudioUnitSubType_Distortion))
  }
  /// Chooses a kind.
  open func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) {
    loadFactory(preset.rawValue)
  }
  /// Decibels in front of it, -80 to 20.
  open var preGain: Float {
    get { parameter(Int(kDistortionParam_SoftClipGain)) }
    set { set(Int(kDistortionParam_SoftClipGain), newValue, in: -80...20) }
  }
  /// Percent of the distorted sound, 0 to 100.
  open var wetDryMix: Float {
    get { parameter(Int(kDistortionParam_FinalMix)) }
    set { set(Int(kDistortionParam_FinalMix), newValue, in: 0...100) }
  }
}

/// The kinds of a band of an equalizer.
public enum AVAudioUnitEQFilterType: Int, Sendable {
  /// A bell.
  case parametric = 0
  /// Low frequencies pass.
  case lowPass = 1
  /// High frequencies pass.
  case highPass = 2
  /// Low frequencies pass, with a resonance.
  case resonantLowPass = 3
  /// High frequencies pass, with a resonance.
  case resonantHighPass = 4
  /// A band passes.
  case bandPass = 5
  /// A band is stopped.
  case bandStop = 6
  /// A step for low frequencies.
  case lowShelf = 7
  /// A step for high frequencies.
  case highShelf = 8
  /// A step for low frequencies, with a resonance.
  case resonantLowShelf = 9
  /// A step for high frequencies, with a resonance.
  case resonantHighShelf = 10
}

/// A band of an equalizer.
open class AVAudioUnitEQFilterParameters: NSObject {
  /// The parameters of a band or filter.
  typealias Parameters = (type: Int, frequency: Int, bandwidth: Int, gain: Int)
  private unowned let unit: AVAudioUnit
  private let ids: Parameters
  /// The parameter that switches the band: off, or on.
  private let bypassing: (id: Int, value: Float)
  init(_ unit: AVAudioUnit, _ ids: Parameters, bypass: Int) {
    self.unit = unit
    self.ids = ids
    bypassing = (bypass, 1)
  }
  init(_ unit: AVAudioUnit, _ ids: Parameters, enable: Int) {
    self.unit = unit
    self.ids = ids
    bypassing = (enable, 0)
  }
  /// The kind.
  open var filterType: AVAudioUnitEQFilterType {
    get {
      AVAudioUnitEQFilterType(rawValue: Int(unit.parameter(ids.type))) ?? .parametric
    }
    set { unit.set(ids.type, Float(newValue.rawValue), in: 0...10) }
  }
  /// The frequency, Hz.
  open var frequency: Float {
    get { unit.parameter(ids.frequency) }
    set {
      unit.set(ids.frequency, newValue, in: 20...Float(unit.outputFormats[0].sampleRate / 2))
    }
  }
  /// The width, octaves.
  open var bandwidth: Float {
    get { unit.parameter(ids.bandwidth) }
    set { unit.set(ids.bandwidth, newValue, in: 0.05...5) }
  }
  /// Decibels, -96 to 24.
  open var gain: Float {
    get { unit.parameter(ids.gain) }
    set { unit.set(ids.gain, newValue, in: -96...24) }
  }
  /// Whether the band is passed over, as it is at first.
  open var bypass: Bool {
    get { unit.parameter(bypassing.id) == bypassing.value }
    set { unit.set(bypassing.id, newValue ? bypassing.value : 1 - bypassing.value, in: 0...1) }
  }
}

/// An equalizer.
open class AVAudioUnitEQ: AVAudioUnitEffect, @unchecked Sendable {
  /// The bands.
  open private(set) var bands: [AVAudioUnitEQFilterParameters] = []
  /// An equalizer of a number of bands.
  public init(numberOfBands: Int) {
    super.init(
      audioComponentDescription: auricleUnit(kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ))
    set(kAUNBandEQProperty_NumberOfBands, UInt32(clamping: numberOfBands))
    bands = (0..<numberOfBands).map { band in
      AVAudioUnitEQFilterParameters(
        self,
        (
          type: Int(kAUNBandEQParam_FilterType) + band,
          frequency: Int(kAUNBandEQParam_Frequency) + band,
          bandwidth: Int(kAUNBandEQParam_Bandwidth) + band, gain: Int(kAUNBandEQParam_Gain) + band
        ), bypass: Int(kAUNBandEQParam_BypassBand) + band)
    }
  }
  /// An equalizer of one band.
  public convenience init() { self.init(numberOfBands: 1) }
  /// Decibels of all, -96 to 24.
  open var globalGain: Float {
    get { parameter(Int(kAUNBandEQParam_GlobalGain)) }
    set { set(Int(kAUNBandEQParam_GlobalGain), newValue, in: -96...24) }
  }
}

/// Speed and pitch, each alone.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect, @unchecked Sendable {
  /// Sound as it is.
  public init() {
    super.init(
      audioComponentDescription: auricleUnit(
        kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch))
    pitch = 0
  }
  /// A node of another component of that kind.
  public override init(audioComponentDescription: AudioComponentDescription) {
    super.init(audioComponentDescription: audioComponentDescription)
  }
  /// The factor of the speed, 1/32 to 32.
  open var rate: Float {
    get { parameter(Int(kNewTimePitchParam_Rate)) }
    set { set(Int(kNewTimePitchParam_Rate), newValue, in: 1 / 32...32) }
  }
  /// Cents, -2400 to 2400.
  open var pitch: Float {
    get { parameter(Int(kNewTimePitchParam_Pitch)) }
    set { set(Int(kNewTimePitchParam_Pitch), newValue, in: -2400...2400) }
  }
  /// The number of pieces that overlap, 3 to 32.
  open var overlap: Float {
    get { parameter(Int(kNewTimePitchParam_Overlap)) }
    set { set(Int(kNewTimePitchParam_Overlap), newValue, in: 3...32) }
  }
}

/// Speed, and pitch with it.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
  /// Sound as it is.
  public init() {
    super.init(
      audioComponentDescription: auricleUnit(
        kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed))
  }
  /// A node of another component of that kind.
  public override init(audioComponentDescription: AudioComponentDescription) {
    super.init(audioComponentDescription: audioComponentDescription)
  }
  /// The factor of the speed, 0.25 to 4.
  open var rate: Float {
    get { parameter(Int(kVarispeedParam_PlaybackRate)) }
    set { set(Int(kVarispeedParam_PlaybackRate), newValue, in: 0.25...4) }
  }
}
