// Facts of the host and its buses for a unit, and reports of a unit on its state.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox

extension AudioUnit {
  /// The host's name of the place of this unit, such as a track; nil where nothing is set.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ContextName`.
  public var contextName: String? { try? stringProperty(kAudioUnitProperty_ContextName) }

  /// Sets the name of the unit's place; nil removes it.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ContextName`.
  public func setContextName(_ name: String?) throws(AuricleError) {
    try setOptionalString(kAudioUnitProperty_ContextName, name)
  }

  /// The user's name of this unit; nil where nothing is set.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_NickName`.
  public var nickName: String? { try? stringProperty(kAudioUnitProperty_NickName) }

  /// Sets the user's name of the unit; nil removes it.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_NickName`.
  public func setNickName(_ name: String?) throws(AuricleError) {
    try setOptionalString(kAudioUnitProperty_NickName, name)
  }

  /// Sets the identity of the host.
  ///
  /// - Parameter version: 0xMMMMmmbb.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_AUHostIdentifier`.
  public func setHost(name: String, version: UInt32) throws(AuricleError) {
    try unsafe withCFString(name) { (string) throws(AuricleError) in
      unsafe try setProperty(
        kAudioUnitProperty_AUHostIdentifier,
        AUHostVersionIdentifier(hostName: string, hostVersion: version))
    }
  }

  /// Sets the functions by which the unit reads the host's song. Nil replaces them by null
  /// pointers: units read the whole record, and not all of them check whether there is one.
  ///
  /// Context: control; the unit calls them while it renders. The corresponding property is
  /// `kAudioUnitProperty_HostCallbacks`.
  public func setHostCallbacks(_ callbacks: HostCallbackInfo?) throws(AuricleError) {
    var functions = unsafe HostCallbackInfo()
    if let callbacks = unsafe callbacks { unsafe functions = callbacks }
    unsafe try setProperty(kAudioUnitProperty_HostCallbacks, functions)
  }

  /// Quality at the expense of time, 0 to 127; nil where the unit has no such choice.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_RenderQuality`.
  public var renderQuality: Int? {
    optionalProperty(kAudioUnitProperty_RenderQuality, as: UInt32.self).map { Int($0) }
  }

  /// Chooses quality or time, 0 to 127.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_RenderQuality`.
  public func setRenderQuality(_ quality: Int) throws(AuricleError) {
    try setProperty(kAudioUnitProperty_RenderQuality, UInt32(clamping: quality))
  }

  /// Time of rendering over time rendered: 0 nothing yet, 1 all of it; nil where it is not measured.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_CPULoad`.
  public var cpuLoad: Double? { optionalProperty(kAudioUnitProperty_CPULoad, as: Double.self) }

  /// The last error of a render, which asking clears; 0 for none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_LastRenderError`.
  public func consumeLastRenderError() -> OSStatus {
    optionalProperty(kAudioUnitProperty_LastRenderError, as: OSStatus.self) ?? 0
  }

  /// Whether the unit works in the caller's buffers; nil where it has no such property.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_InPlaceProcessing`.
  public var processesInPlace: Bool? {
    optionalProperty(kAudioUnitProperty_InPlaceProcessing, as: UInt32.self).map { $0 != 0 }
  }

  /// Lets the unit work in the caller's buffers, or not.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_InPlaceProcessing`.
  public func setProcessesInPlace(_ isInPlace: Bool) throws(AuricleError) {
    try setProperty(kAudioUnitProperty_InPlaceProcessing, UInt32(isInPlace ? 1 : 0))
  }

  private func setOptionalString(
    _ id: AudioUnitPropertyID, _ text: String?
  ) throws(AuricleError) {
    if let text { try setStringProperty(id, text) } else { try removeProperty(id) }
  }
}

extension AudioUnit {
  /// The name of an element, such as a bus; nil where it has none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ElementName`.
  public func elementName(scope: AudioUnitScope, element: AudioUnitElement = 0) -> String? {
    try? stringProperty(kAudioUnitProperty_ElementName, scope: scope, element: element)
  }

  /// Names an element; nil restores its own name.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ElementName`.
  public func setElementName(
    _ name: String?, scope: AudioUnitScope, element: AudioUnitElement = 0
  ) throws(AuricleError) {
    if let name {
      try setStringProperty(kAudioUnitProperty_ElementName, scope: scope, element: element, name)
    } else {
      try removeProperty(kAudioUnitProperty_ElementName, scope: scope, element: element)
    }
  }

  /// Chooses how many elements a scope has.
  ///
  /// Context: control, uninitialized. The corresponding property is
  /// `kAudioUnitProperty_ElementCount`.
  public func setElementCount(_ count: Int, scope: AudioUnitScope) throws(AuricleError) {
    try setProperty(kAudioUnitProperty_ElementCount, scope: scope, UInt32(clamping: count))
  }

  /// The layouts that a bus accepts; empty where the unit lists none.
  ///
  /// Context: control. The corresponding property is
  /// `kAudioUnitProperty_SupportedChannelLayoutTags`.
  public func supportedChannelLayoutTags(
    scope: AudioUnitScope, element: AudioUnitElement = 0
  ) -> [ChannelLayoutTag] {
    let tags = try? propertyArray(
      kAudioUnitProperty_SupportedChannelLayoutTags, scope: scope, element: element,
      of: UInt32.self)
    return (tags ?? []).map { ChannelLayoutTag(rawValue: $0) }
  }

  /// The layout of a bus; nil where it has none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_AudioChannelLayout`.
  public func channelLayoutTag(
    scope: AudioUnitScope, element: AudioUnitElement = 0
  ) -> ChannelLayoutTag? {
    let words = try? propertyArray(
      kAudioUnitProperty_AudioChannelLayout, scope: scope, element: element, of: UInt32.self)
    return words?.first.map { ChannelLayoutTag(rawValue: $0) }
  }

  /// Sets the layout of a bus by its tag; nil removes it.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_AudioChannelLayout`.
  public func setChannelLayoutTag(
    _ tag: ChannelLayoutTag?, scope: AudioUnitScope, element: AudioUnitElement = 0
  ) throws(AuricleError) {
    let id = kAudioUnitProperty_AudioChannelLayout
    guard let tag else { return try removeProperty(id, scope: scope, element: element) }
    // Tag, bitmap, and no descriptions.
    let words = (tag.rawValue, UInt32(0), UInt32(0))
    try setProperty(id, scope: scope, element: element, words)
  }

  /// Sets the time of a bus's sound to the listener, or from the microphone (s).
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_PresentationLatency`.
  public func setPresentationLatency(
    _ seconds: Double, scope: AudioUnitScope, element: AudioUnitElement = 0
  ) throws(AuricleError) {
    try setProperty(
      kAudioUnitProperty_PresentationLatency, scope: scope, element: element, seconds)
  }

  /// The gains (linear) of the unit in its present settings, at frequencies (Hz, at most 1024); nil
  /// where it has no such property.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_FrequencyResponse`.
  public func frequencyResponse(
    at frequencies: [Double], scope: AudioUnitScope = kAudioUnitScope_Output,
    element: AudioUnitElement = 0
  ) -> [Double]? {
    var bins = frequencies.prefix(Int(kNumberOfResponseFrequencies)).map {
      AudioUnitFrequencyResponseBin(mFrequency: $0, mMagnitude: 0)
    }
    guard !bins.isEmpty, let ask = unsafe methods.getProperty else { return nil }
    let status = unsafe bins.withUnsafeMutableBytes { bytes in
      var size = UInt32(bytes.count)
      return unsafe ask(
        plugIn, kAudioUnitProperty_FrequencyResponse, scope, element, bytes.baseAddress, &size)
    }
    return status == 0 ? bins.map(\.mMagnitude) : nil
  }
}
