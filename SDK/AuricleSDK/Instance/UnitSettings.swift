// Settings of a host about itself and the unit's buses, stored by the unit.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Settings of an instance that rendering does not use.
@safe struct UnitSettings {
  var renderQuality: UInt32 = kRenderQuality_Max
  var contextName: String?
  var nickName: String?
  var hostName: String?
  var hostVersion: UInt32 = 0
  /// Bytes of an `AudioChannelLayout` by bus.
  var channelLayouts: [ElementAddress: [UInt8]] = [:]
  /// Presentation latency in seconds, by bus.
  var presentationLatencies: [ElementAddress: Double] = [:]
  /// Buses without memory of their own.
  var busesWithoutMemory: Set<ElementAddress> = []
  /// Memory of the host for the output; nil for the unit's own.
  var externalBuffer: AudioUnitExternalBuffer?
  /// The callback for the input samples behind the output.
  var samplesCallback: AUInputSamplesInOutputCallbackStruct?
  /// The host's block for commands and MIDI of other programs.
  var remoteListener: HostBlock?
  var midiCallbacks: AudioOutputUnitMIDICallbacks?
  /// The MIDI mappings of parameters.
  var midiMappings: [AUParameterMIDIMapping] = []
  /// The mapping that waits to learn a controller.
  var hotMapping: AUParameterMIDIMapping?
  /// The mapping that learned its controller last.
  var lastHotMapping: AUParameterMIDIMapping?
}

extension UnitInstance {
  /// The host's name for the context of this instance, such as a track; nil if unset.
  ///
  /// A unit may show it, or name its files by it:
  ///
  /// ```swift
  /// let title = unit.contextName.map { "Recorder — \($0)" } ?? "Recorder"
  /// ```
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ContextName`.
  public var contextName: String? { locked { settings.contextName } }

  /// Name and version (0xMMMMmmbb) of the host; nil if unset.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_AUHostIdentifier`.
  public var host: (name: String, version: UInt32)? {
    locked { settings.hostName.map { ($0, settings.hostVersion) } }
  }

  /// The render quality, 0 to 127: quality at the expense of time; a kernel may use it.
  ///
  /// A kernel has it in `RenderFormat.renderQuality`, as it was when the kernel was made.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_RenderQuality`.
  public var renderQuality: Int { locked { Int(settings.renderQuality) } }

  /// Returns the tag of the channel layout of a bus; 0 if its channels are described individually.
  ///
  /// - Parameters:
  ///   - scope: `kAudioUnitScope_Input` or `kAudioUnitScope_Output`.
  ///   - bus: Bus, from 0.
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

  /// Returns the presentation latency of a bus in seconds, after an output or before an input; 0 if unknown.
  ///
  /// - Parameters:
  ///   - scope: `kAudioUnitScope_Input` or `kAudioUnitScope_Output`.
  ///   - bus: Bus, from 0.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_PresentationLatency`.
  public func presentationLatency(scope: AudioUnitScope, bus: Int) -> Double {
    locked { settings.presentationLatencies[ElementAddress(scope: scope, element: bus)] ?? 0 }
  }

  /// Removes the settings of elements from a number on. Context: control.
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
