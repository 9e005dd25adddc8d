// What a host tells a unit about itself and its buses, and the unit keeps.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Settings of an instance that rendering does not look at.
@safe struct UnitSettings {
  var renderQuality: UInt32 = kRenderQuality_Max
  var contextName: String?
  var nickName: String?
  var hostName: String?
  var hostVersion: UInt32 = 0
  /// Bytes of an `AudioChannelLayout` by bus.
  var channelLayouts: [ElementAddress: [UInt8]] = [:]
  /// Seconds from this bus to what a person hears or says, by bus.
  var presentationLatencies: [ElementAddress: Double] = [:]
  /// Buses that shall not have memory of their own.
  var busesWithoutMemory: Set<ElementAddress> = []
  /// Memory of the host for the output; nil for the unit's own.
  var externalBuffer: AudioUnitExternalBuffer?
  /// Who wants to know which input the output was made of.
  var samplesCallback: AUInputSamplesInOutputCallbackStruct?
  /// What a host gave an output unit for commands and MIDI of other programs.
  var remoteListener: HostBlock?
  var midiCallbacks: AudioOutputUnitMIDICallbacks?
  /// Parameters that MIDI controllers move.
  var midiMappings: [AUParameterMIDIMapping] = []
  /// The mapping that waits for a controller to be moved.
  var hotMapping: AUParameterMIDIMapping?
  /// The mapping that found its controller last.
  var lastHotMapping: AUParameterMIDIMapping?
}

extension UnitInstance {
  /// What the host calls the place of this instance, such as a track; nil where it tells nothing.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ContextName`.
  public var contextName: String? { locked { settings.contextName } }

  /// Name and version (0xMMMMmmbb) of the host; nil where it tells nothing.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_AUHostIdentifier`.
  public var host: (name: String, version: UInt32)? {
    locked { settings.hostName.map { ($0, settings.hostVersion) } }
  }

  /// How well the unit shall sound at the expense of time, 0 to 127; a kernel is free to heed it.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_RenderQuality`.
  public var renderQuality: Int { locked { Int(settings.renderQuality) } }

  /// The tag of the channel layout of a bus; 0 where its channels are described one by one.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_AudioChannelLayout`.
  public func channelLayoutTag(
    scope: AudioUnitScope, bus: Int
  ) -> AudioChannelLayoutTag {
    locked {
      let bytes = channelLayout(ElementAddress(scope: scope, element: bus))
      return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) }
    }
  }

  /// Seconds from a bus to what is heard (output) or from what was said (input); 0 where unknown.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_PresentationLatency`.
  public func presentationLatency(scope: AudioUnitScope, bus: Int) -> Double {
    locked { settings.presentationLatencies[ElementAddress(scope: scope, element: bus)] ?? 0 }
  }

  /// Forgets what is kept of elements from a number on. Context: control.
  func forgetSettings(_ scope: AudioUnitScope, from element: Int) {
    func stays(_ address: ElementAddress) -> Bool {
      address.scope != scope || address.element < element
    }
    settings.channelLayouts = settings.channelLayouts.filter { stays($0.key) }
    settings.presentationLatencies = settings.presentationLatencies.filter { stays($0.key) }
    settings.busesWithoutMemory = settings.busesWithoutMemory.filter(stays)
    settings.midiMappings.removeAll {
      !stays(ElementAddress(scope: $0.mScope, element: Int($0.mElement)))
    }
  }
}
