// The output units as components, to be found like any unit.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
import AudioTypes
import CAudioToolbox

/// The units that play and record: default, system, HAL, remote I/O and voice processing.
public struct OutputComponentSource: AudioComponentSource {
  /// Makes the source.
  ///
  /// Context: any.
  public init() {}

  /// Lists the units; no device is opened.
  ///
  /// Context: control.
  public func discover() -> ComponentDiscovery {
    ComponentDiscovery(components: Self.kinds.map(Self.component))
  }

  private static let kinds: [(subtype: UInt32, name: String, summary: String)] = [
    (
      kAudioUnitSubType_DefaultOutput, "Default Output",
      "Plays on the default device, and follows it."
    ),
    (
      kAudioUnitSubType_SystemOutput, "System Output",
      "Plays on the device for alerts, and follows it."
    ),
    (
      kAudioUnitSubType_HALOutput, "HAL Output",
      "Plays and records on a device of the host's choice."
    ),
    (kAudioUnitSubType_RemoteIO, "Remote I/O", "Plays and records on the default device."),
    (
      kAudioUnitSubType_VoiceProcessingIO, "Voice Processing I/O",
      "Plays and records voices: without echo and noise, at one level."
    ),
  ]

  private static func component(
    _ kind: (subtype: UInt32, name: String, summary: String)
  ) -> AudioComponent {
    unsafe AudioComponent(
      description: AudioComponentDescription(
        componentType: kAudioUnitType_Output, componentSubType: kind.subtype,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0),
      name: "Auricle: \(kind.name)", version: 0x10000, origin: .builtIn, location: .process,
      tags: ["Output"], summary: kind.summary
    ) { (description) throws(AuricleError) in
      guard let made = unsafe IOUnit.make(description) else {
        throw AuricleError(
          .temporary, status: kAudio_MemFullError, "there is no memory for an output unit")
      }
      return unsafe made
    }
  }
}
