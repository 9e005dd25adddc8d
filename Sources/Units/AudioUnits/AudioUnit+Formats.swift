// Formats, buses, slice size, and the times of a unit.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox

extension AudioUnit {
  /// The stream format of a bus.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_StreamFormat`.
  public func streamFormat(
    scope: AudioUnitScope, element: AudioUnitElement = 0
  ) throws(AuricleError) -> AudioStreamFormat {
    AudioStreamFormat(
      try property(
        kAudioUnitProperty_StreamFormat, scope: scope, element: element,
        as: AudioStreamBasicDescription.self))
  }

  /// Sets the stream format of a bus.
  ///
  /// - Throws: with `kAudioUnitErr_FormatNotSupported` if the unit does not accept it, with
  ///   `kAudioUnitErr_Initialized` if it is too late.
  ///
  /// Context: control, uninitialized. The corresponding property is
  /// `kAudioUnitProperty_StreamFormat`.
  public func setStreamFormat(
    _ format: AudioStreamFormat, scope: AudioUnitScope, element: AudioUnitElement = 0
  ) throws(AuricleError) {
    do throws(AuricleError) {
      try setProperty(
        kAudioUnitProperty_StreamFormat, scope: scope, element: element, format.asbd)
    } catch {
      let place = PropertyNames.place(scope: scope, element: element)
      throw failure(
        AudioStatus(rawValue: error.status), "\(place) cannot be set to \(format)")
    }
  }

  /// The most frames one render may ask for; 1156 where the unit has no such property.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_MaximumFramesPerSlice`.
  public var maximumFramesPerSlice: Int {
    let value = optionalProperty(kAudioUnitProperty_MaximumFramesPerSlice, as: UInt32.self)
    return value.map { Int($0) } ?? 1156
  }

  /// Sets the most frames one render may ask for.
  ///
  /// - Parameter frameCount: In 1...4294967295.
  ///
  /// Context: control, uninitialized. The corresponding property is
  /// `kAudioUnitProperty_MaximumFramesPerSlice`.
  public func setMaximumFramesPerSlice(_ frameCount: Int) throws(AuricleError) {
    guard let count = UInt32(exactly: frameCount), count > 0 else {
      throw failure(.invalidPropertyValue, "the maximum frames per slice cannot be \(frameCount)")
    }
    try setProperty(kAudioUnitProperty_MaximumFramesPerSlice, count)
  }

  /// Number of elements of a scope: buses, for the input and output scopes.
  ///
  /// A unit without the property has the one bus whose stream format it answers, or none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_ElementCount`.
  public func busCount(scope: AudioUnitScope) -> Int {
    if let count = optionalProperty(kAudioUnitProperty_ElementCount, scope: scope, as: UInt32.self)
    {
      return Int(count)
    }
    if scope == kAudioUnitScope_Global { return 1 }
    return hasProperty(kAudioUnitProperty_StreamFormat, scope: scope) ? 1 : 0
  }

  /// The delay of the output, in seconds; 0 where the unit has no such property.
  ///
  /// Read anew each time: it changes with formats and parameters, and some units know it only after
  /// they have rendered.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_Latency`.
  public var latency: Double {
    let seconds = optionalProperty(kAudioUnitProperty_Latency, as: Double.self) ?? 0
    return seconds.isFinite && seconds > 0 ? seconds : 0
  }

  /// False while the unit cannot know its latency because it has not rendered yet.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_LatencyIsKnown`; a unit
  /// without it knows its latency.
  public var isLatencyKnown: Bool {
    (optionalProperty(kAuricleProperty_LatencyIsKnown, as: UInt32.self) ?? 1) != 0
  }

  /// Whether listeners are notified of every change of the latency: of units that may come to know
  /// theirs late.
  ///
  /// Context: control. Units with `kAuricleProperty_LatencyIsKnown` keep this.
  public var alwaysReportsLatency: Bool {
    optionalProperty(kAuricleProperty_LatencyIsKnown, as: UInt32.self) != nil
  }

  /// Whether the unit is harmed by slices of other lengths than the one before.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_WantsWholeSlices`.
  public var wantsWholeSlices: Bool {
    (optionalProperty(kAuricleProperty_WantsWholeSlices, as: UInt32.self) ?? 0) != 0
  }

  /// Whether the program that plays the unit is connected; nil for a unit that no other program plays.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_IsInterAppConnected`.
  public var isProgramConnected: Bool? {
    optionalProperty(kAudioUnitProperty_IsInterAppConnected, as: UInt32.self).map { $0 != 0 }
  }

  /// The duration of the sound after the input's end, in seconds; nil where the unit does not know
  /// it.
  ///
  /// Infinite for a unit that never ends. Read anew each time.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_TailTime`.
  public var tailTime: Double? {
    guard let seconds = optionalProperty(kAudioUnitProperty_TailTime, as: Double.self),
      !seconds.isNaN
    else { return nil }
    return max(0, seconds)
  }

  /// True if the unit is set to pass its input on unchanged; false where it cannot.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_BypassEffect`.
  public var isBypassed: Bool {
    (optionalProperty(kAudioUnitProperty_BypassEffect, as: UInt32.self) ?? 0) != 0
  }

  /// Sets whether the unit passes its input on unchanged.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_BypassEffect`.
  public func setBypassed(_ isBypassed: Bool) throws(AuricleError) {
    try setProperty(kAudioUnitProperty_BypassEffect, UInt32(isBypassed ? 1 : 0))
  }

  /// Sets whether the unit renders offline, where it has such a property.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_OfflineRender`.
  public func setRendersOffline(_ isOffline: Bool) {
    try? setProperty(kAudioUnitProperty_OfflineRender, UInt32(isOffline ? 1 : 0))
  }
}
