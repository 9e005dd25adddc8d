// The names that units of macOS have there.
// SPDX-License-Identifier: Apache-2.0

/// Units by the names of macOS, which people and presets write.
package enum MacNames {
  /// The triple of a name in any case, with or without its maker; nil for another.
  static func triple(of name: String) -> String? {
    let maker = "apple: "
    let name = name.lowercased()
    return triples[name.hasPrefix(maker) ? String(name.dropFirst(maker.count)) : name]
  }

  /// The name on macOS of a triple; nil for a unit that is not there.
  ///
  /// Context: any.
  package static func name(of triple: String) -> String? { names[triple] }

  private static let triples = Dictionary(
    names.map { ($1.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

  private static let names = [
    "aufx:dely:appl": "AUDelay", "aufx:dist:appl": "AUDistortion",
    "aufx:lpas:appl": "AULowpass", "aufx:hpas:appl": "AUHipass", "aufx:bpas:appl": "AUBandpass",
    "aufx:hshf:appl": "AUHighShelfFilter", "aufx:lshf:appl": "AULowShelfFilter",
    "aufx:pmeq:appl": "AUParametricEQ", "aufx:greq:appl": "AUGraphicEQ",
    "aufx:nbeq:appl": "AUNBandEQ", "aufx:filt:appl": "AUFilter",
    "aufx:lmtr:appl": "AUPeakLimiter", "aufx:dcmp:appl": "AUDynamicsProcessor",
    "aufx:mcmp:appl": "AUMultibandCompressor", "aufx:mrev:appl": "AUMatrixReverb",
    "aufx:rvb2:appl": "AUReverb2", "aufx:sdly:appl": "AUSampleDelay",
    "aufx:tmpt:appl": "AUPitch", "aufx:rogr:appl": "AURogerBeep",
    "aumu:dls :appl": "DLSMusicDevice", "aumu:samp:appl": "AUSampler",
    "aumu:msyn:appl": "AUMIDISynth", "aumx:3dem:appl": "AUSpatialMixer",
    "aumx:3dmx:appl": "AUMixer3D", "aumx:mcmx:appl": "AUMultiChannelMixer",
    "aumx:mxmx:appl": "AUMatrixMixer", "aufc:conv:appl": "AUConverter",
    "aufc:tmpt:appl": "AUTimePitch", "aufc:vari:appl": "AUVarispeed",
    "augn:afpl:appl": "AUAudioFilePlayer", "auou:def :appl": "DefaultOutputUnit",
    "auou:ahal:appl": "AudioDeviceOutput", "auou:sys :appl": "SystemOutputUnit",
    "auou:genr:appl": "GenericOutput", "auou:vpio:appl": "AUVoiceIO",
    "aufc:nutp:appl": "AUNewTimePitch", "aufc:defr:appl": "AUDeferredRenderer",
    "aufc:merg:appl": "AUMerger", "aufc:splt:appl": "AUSplitter",
    "augn:sspl:appl": "AUScheduledSoundPlayer", "augn:ttsp:appl": "AUSpeechSynthesis",
    "aumx:smxr:appl": "AUMixer", "aupn:vbas:appl": "AUVectorPanner",
    "aupn:ambi:appl": "AUSoundFieldPanner", "aupn:sphr:appl": "AUSphericalHeadPanner",
    "aupn:hrtf:appl": "HRTFPanner",
  ]
}
