// The scheduled sound player: plays slices of the caller's memory at their time.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox
import RealtimeSupport

/// Plays the queue of one scheduled sound player.
@safe struct SoundPlayerKernel: UnitKernel, ~Copyable {
  private let queue: UnsafeMutablePointer<SliceQueue>
  private let schedule: PlayerSchedule
  private let sampleRate: Double
  private let isOffline: Bool

  /// Context: control.
  init(_ format: RenderFormat) { self.init(format, PlayerSchedule()) }

  init(_ format: RenderFormat, _ schedule: PlayerSchedule) {
    self.schedule = schedule
    unsafe queue = schedule.queue
    sampleRate = format.sampleRate
    isOffline = format.isOffline
  }

  deinit { unsafe queue.pointee.clear() }

  /// Completes all slices, and forgets the start. Context: control.
  mutating func reset() { unsafe queue.pointee.clear() }

  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let isSilent = unsafe queue.pointee.play(
      slice, from: 0, slice.frameCount, sampleRate: sampleRate, waits: isOffline)
    if isSilent { slice.markOutputSilent() }
  }
}

/// Returns the common definition of both players: no input, one output.
func playerDefinition(_ properties: [PropertyDefinition]) -> UnitDefinition {
  UnitDefinition(parameters: [], inputs: [], properties: properties, processesInPlace: false)
}

/// Makes one scheduled sound player; the factory function of the component. Context: control.
@c(AuricleSoundPlayerFactory)
public func soundPlayerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let schedule = PlayerSchedule()
  let definition = playerDefinition([schedule.sliceProperty] + schedule.properties)
  return unsafe makeAudioUnit(definition, description) { state, slice in
    unsafe runKernel(SoundPlayerKernel.self, state, slice)
  } makeKernel: { format in
    SoundPlayerKernel(format, schedule)
  }
}
