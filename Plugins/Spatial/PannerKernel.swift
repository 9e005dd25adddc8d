// The DSP of the panners: one source, or a stereo pair of sources.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// The method by which a panner places its source.
enum PannerKind: Int, BitwiseCopyable {
  /// By vectors of loudspeakers.
  case vector
  /// As a sound field.
  case soundField
  /// By a spherical head.
  case sphere
  /// By a measured head.
  case measured
}

/// Pans a mono source; the channels of a stereo one are 30° to the left and right of the place.
@safe public struct PannerKernel: UnitKernel, ~Copyable {
  private let kind: Int
  private let values: ParameterStore
  private var voices: VoiceBank
  private var clock = ControlClock()
  private var lastChange: UInt = 0
  private var isFresh = true
  private let shelf: HeadShelf

  /// Allocates a voice an input channel. Context: control.
  ///
  /// - Throws: A sentence where the measured head is not installed.
  init(_ format: RenderFormat, _ kind: PannerKind) throws(UnitRefusal) {
    let shelf = HeadShelf()
    try shelf.open(
      sourceCount: format.inputChannelCount, sampleRate: format.sampleRate,
      isNeeded: kind == .measured)
    self.init(format, kind, shelf)
  }

  private init(_ format: RenderFormat, _ kind: PannerKind, _ shelf: HeadShelf) {
    self.kind = kind.rawValue
    self.shelf = shelf
    values = format.values
    voices = VoiceBank(
      voiceCount: format.inputChannelCount,
      PanTarget(format.outputLayoutTag, channelCount: format.channelCount), shelf.slot,
      sampleRate: format.sampleRate)
  }

  /// Allocates a panner by vectors. Context: control.
  public init(_ format: RenderFormat) { self.init(format, .vector, HeadShelf()) }

  deinit { voices.deallocate() }

  /// The head through which the sound is rendered; nil for none.
  private var head: HeadKind? {
    @_noLocks get {
      if kind == PannerKind.sphere.rawValue { return .sphere }
      return kind == PannerKind.measured.rawValue ? .measured : nil
    }
  }

  /// Frames of sound's way from the front to a head.
  public var latencyFrames: Int { head.map { voices.latency($0) } ?? 0 }
  /// The decay time of the head's responses.
  public var tailSeconds: Double { head == nil ? 0 : voices.tailSeconds }

  /// Forgets the past. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    voices.reset()
    isFresh = true
  }

  /// Pans one slice. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    let change = values.changeCount
    if isFresh || change != lastChange {
      isFresh = false
      lastChange = change
      aim(slice)
    }
    for channel in 0..<slice.channelCount {
      unsafe SampleRun.clear(slice.channel(channel), slice.frameCount)
    }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { voices.advanceGlides() }
      let run = clock.run(of: slice.frameCount - frame, isMoving: voices.isMoving)
      for voice in 0..<voices.voiceCount {
        unsafe voices.add(
          slice, voice, slice.input(bus: 0, channel: voice) + frame, frame: frame,
          phase: clock.phase, run)
      }
      clock.advance(run)
      frame += run
    }
    voices.advance(slice.frameCount)
    if slice.inputIsSilent, head == nil { slice.markOutputSilent() }
  }

  /// Sets where the voices go.
  @_noLocks private mutating func aim(_ slice: borrowing RenderSlice) {
    let place = PannerParameters.place(slice)
    let isTimed = PannerParameters.areScheduled(slice)
    for voice in 0..<voices.voiceCount {
      let own = voices.voiceCount == 1 ? place : place.turned(by: voice == 0 ? -30 : 30)
      if head == .sphere {
        voices.spatialize(voice, own, hasDelay: true, isTimed: isTimed)
      } else if head == .measured {
        voices.renderMeasured(voice, own, isTimed: isTimed)
      } else {
        let law: PanLaw = kind == PannerKind.vector.rawValue ? .vector : .soundField
        voices.pan(voice, own, law, isTimed: isTimed)
      }
    }
  }
}
