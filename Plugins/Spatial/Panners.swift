// The panners: by vectors of loudspeakers, as a sound field, by a spherical and by a measured head.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

/// Returns the definition of a panner to some layouts, for hosts.
private func definition(_ tags: [AudioChannelLayoutTag]) -> UnitDefinition {
  let counts = Set(tags.map { Int16($0 & 0xFFFF) }).sorted()
  let capabilities: [ChannelCapability] = [1, 2].flatMap { (input: Int16) in
    counts.map { ChannelCapability(input, $0) }
  }
  var output = BusDefinition(name: "Output")
  output.layoutTags = tags
  return UnitDefinition(
    parameters: PannerParameters.all, channelCapabilities: capabilities,
    inputs: [BusDefinition(name: "Input")], outputs: [output], processesInPlace: false)
}

/// Makes a panner of a kind to some layouts. Context: control.
private func makePanner(
  _ kind: PannerKind, _ tags: [AudioChannelLayoutTag],
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(definition(tags), description) { state, slice in
    unsafe runKernel(PannerKernel.self, state, slice)
  } makeKernel: { (format) throws(UnitRefusal) in
    try PannerKernel(format, kind)
  }
}

/// Makes one vector panner; the factory function of the component. Context: control.
@c(AuricleVectorPannerFactory)
public func vectorPannerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makePanner(.vector, SpeakerLayout.tags, description)
}

/// Makes one sound field panner; the factory function of the component. Context: control.
@c(AuricleSoundFieldPannerFactory)
public func soundFieldPannerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makePanner(.soundField, SpeakerLayout.tags + SpeakerLayout.soundFieldTags, description)
}

private let headTags = [kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Binaural]

/// Makes one spherical head panner; the factory function of the component. Context: control.
@c(AuricleSphericalHeadPannerFactory)
public func sphericalHeadPannerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makePanner(.sphere, headTags, description)
}

/// Makes one panner by a measured head; the factory function of the component. Context: control.
@c(AuricleHRTFPannerFactory)
public func hrtfPannerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makePanner(.measured, headTags, description)
}
