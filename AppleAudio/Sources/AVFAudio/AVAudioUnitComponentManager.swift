// The components that are installed.
// SPDX-License-Identifier: Apache-2.0

import Foundation

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
      kAudioUnitType_Output: "Output", kAudioUnitType_MusicDevice: "Music Device",
      kAudioUnitType_MusicEffect: "Music Effect",
      kAudioUnitType_FormatConverter: "Format Converter",
      kAudioUnitType_Effect: "Effect", kAudioUnitType_Mixer: "Mixer",
      kAudioUnitType_Panner: "Panner",
      kAudioUnitType_Generator: "Generator", kAudioUnitType_OfflineEffect: "Offline Effect",
      kAudioUnitType_MIDIProcessor: "MIDI Processor",
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
