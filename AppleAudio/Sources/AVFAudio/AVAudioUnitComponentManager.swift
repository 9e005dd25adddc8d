// The components that are installed.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The name of the type of outputs.
public let AVAudioUnitTypeOutput = "Output"
/// The name of the type of instruments.
public let AVAudioUnitTypeMusicDevice = "Music Device"
/// The name of the type of effects that receive MIDI.
public let AVAudioUnitTypeMusicEffect = "Music Effect"
/// The name of the type of converters.
public let AVAudioUnitTypeFormatConverter = "Format Converter"
/// The name of the type of effects.
public let AVAudioUnitTypeEffect = "Effect"
/// The name of the type of mixers.
public let AVAudioUnitTypeMixer = "Mixer"
/// The name of the type of panners.
public let AVAudioUnitTypePanner = "Panner"
/// The name of the type of generators.
public let AVAudioUnitTypeGenerator = "Generator"
/// The name of the type of effects that read a whole file.
public let AVAudioUnitTypeOfflineEffect = "Offline Effect"
/// The name of the type of processors of MIDI.
public let AVAudioUnitTypeMIDIProcessor = "MIDI Processor"

/// A component that is installed.
open class AVAudioUnitComponent: NSObject {
  /// The component of C.
  public let audioComponent: AudioComponent
  /// The description.
  public let audioComponentDescription: AudioComponentDescription

  init(_ component: AudioComponent) {
    audioComponent = component
    var description = AudioComponentDescription()
    AudioComponentGetDescription(component, &description)
    audioComponentDescription = description
  }
  /// The unit's name, as a Mac has it where it has the unit.
  open var name: String { auricleName(audioComponent).unit }
  /// The maker's name.
  open var manufacturerName: String { auricleName(audioComponent).maker }
  /// The kind of unit.
  open var typeName: String {
    let names: [UInt32: String] = [
      kAudioUnitType_Output: AVAudioUnitTypeOutput,
      kAudioUnitType_MusicDevice: AVAudioUnitTypeMusicDevice,
      kAudioUnitType_MusicEffect: AVAudioUnitTypeMusicEffect,
      kAudioUnitType_FormatConverter: AVAudioUnitTypeFormatConverter,
      kAudioUnitType_Effect: AVAudioUnitTypeEffect, kAudioUnitType_Mixer: AVAudioUnitTypeMixer,
      kAudioUnitType_Panner: AVAudioUnitTypePanner,
      kAudioUnitType_Generator: AVAudioUnitTypeGenerator,
      kAudioUnitType_OfflineEffect: AVAudioUnitTypeOfflineEffect,
      kAudioUnitType_MIDIProcessor: AVAudioUnitTypeMIDIProcessor,
    ]
    return names[audioComponentDescription.componentType] ?? ""
  }
  /// The kind of unit, for people.
  open var localizedTypeName: String { typeName }
  /// The version, 0xMMMMmmbb.
  open var version: Int {
    var version: UInt32 = 0
    AudioComponentGetVersion(audioComponent, &version)
    return Int(version)
  }
  /// The version with points.
  open var versionString: String { "\(version >> 16).\(version >> 8 & 255).\(version & 255)" }
  /// Whether it runs in a sandbox.
  open var isSandboxSafe: Bool {
    audioComponentDescription.componentFlags & AudioComponentFlags.sandboxSafe.rawValue != 0
  }
  /// Whether it receives MIDI.
  open var hasMIDIInput: Bool {
    let types = [
      kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor,
    ]
    return types.contains(audioComponentDescription.componentType)
  }
  /// Whether it sends MIDI.
  open var hasMIDIOutput: Bool {
    audioComponentDescription.componentType == kAudioUnitType_MIDIProcessor
  }
  /// Whether it has a window of a Mac: never.
  open var hasCustomView: Bool { false }
  /// Whether it passes validation, which is done at each call and may take seconds.
  open var passesAUVal: Bool {
    var result = AudioComponentValidationResult.unknown
    return AudioComponentValidate(audioComponent, nil, &result) == noErr && result == .passed
  }
  /// The component's own description of itself.
  open var configurationDictionary: [String: Any] {
    var configuration: Unmanaged<CFDictionary>?
    AudioComponentCopyConfigurationInfo(audioComponent, &configuration)
    return configuration?.takeRetainedValue() as? [String: Any] ?? [:]
  }
  /// Whether the unit renders so many channels in and out; it is opened for the answer.
  open func supportsNumberInputChannels(
    _ numInputChannels: Int, outputChannels numOutputChannels: Int
  ) -> Bool {
    guard let unit = try? AUAudioUnit(componentDescription: audioComponentDescription) else {
      return false
    }
    let wanted = [numInputChannels, numOutputChannels]
    guard let pairs = unit.channelCapabilities else { return wanted[0] == wanted[1] }
    return stride(from: 0, to: pairs.count - 1, by: 2).contains { index in
      let (ins, outs) = (pairs[index].intValue, pairs[index + 1].intValue)
      // -1 on both sides is one number for both, -1 beside -2 any two; a number below -2 the most.
      if ins == -1, outs == -1 { return wanted[0] == wanted[1] }
      return zip([ins, outs], wanted).allSatisfy { $0 < -2 ? $1 <= -$0 : $0 < 0 || $0 == $1 }
    }
  }
}

/// The list of components.
open class AVAudioUnitComponentManager: NSObject {
  nonisolated(unsafe) private static let instance = AVAudioUnitComponentManager()
  /// The list of this process.
  open class func shared() -> AVAudioUnitComponentManager { instance }
  /// A list.
  public override init() {}

  /// The components that a description fits, whose zeros fit all; in order of type, maker, name.
  open func components(matching desc: AudioComponentDescription) -> [AVAudioUnitComponent] {
    var wanted = desc
    var found: [AVAudioUnitComponent] = []
    var component: AudioComponent?
    while let next = AudioComponentFindNext(component, &wanted) {
      found.append(AVAudioUnitComponent(next))
      component = next
    }
    return found.sorted {
      ($0.audioComponentDescription.componentType, $0.manufacturerName, $0.name)
        < ($1.audioComponentDescription.componentType, $1.manufacturerName, $1.name)
    }
  }
  /// The components that pass a test, which may end the search.
  open func components(
    passingTest testHandler: (AVAudioUnitComponent, UnsafeMutablePointer<ObjCBool>) -> Bool
  ) -> [AVAudioUnitComponent] {
    var stop = ObjCBool(false)
    var found: [AVAudioUnitComponent] = []
    for component in components(matching: AudioComponentDescription()) where !stop.boolValue {
      if testHandler(component, &stop) { found.append(component) }
    }
    return found
  }
  /// The components that a predicate fits.
  open func components(matching predicate: NSPredicate) -> [AVAudioUnitComponent] {
    components(matching: AudioComponentDescription()).filter { predicate.evaluate(with: $0) }
  }
  /// The tags of components: none are kept here.
  open var tagNames: [String] { [] }
}
