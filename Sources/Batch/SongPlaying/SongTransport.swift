// Informs units of the place in the song that they play.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import MIDIFiles
import UnitChains

/// The host's song, as the units of one place receive it. Context: one control thread, and renders in it.
@safe final class SongTransport {
  private let timeline: SongTimeline
  /// The frame of the song that comes next at this place.
  private let frame: () -> Int

  /// - Parameter frame: The frame of the song at the start of a unit's slice; below 0 before the song.
  init(_ timeline: SongTimeline, frame: @escaping () -> Int) {
    self.timeline = timeline
    self.frame = frame
  }

  /// Connects a unit, which has to go before this does. A unit that does not ask gets no information.
  func notify(_ unit: AudioUnit) {
    var callbacks = unsafe HostCallbackInfo()
    unsafe callbacks.hostUserData = Unmanaged.passUnretained(self).toOpaque()
    unsafe callbacks.beatAndTempoProc = { data, beat, tempo in
      guard let place = unsafe SongTransport.of(data)?.place else { return SongTransport.unknown }
      unsafe beat?.pointee = place.beat
      unsafe tempo?.pointee = place.tempo
      return 0
    }
    unsafe callbacks.musicalTimeLocationProc = { data, frames, count, note, start in
      guard let place = unsafe SongTransport.of(data)?.place else { return SongTransport.unknown }
      unsafe frames?.pointee = UInt32(clamping: place.framesToBeat)
      unsafe count?.pointee = Float(place.meter.count)
      unsafe note?.pointee = UInt32(place.meter.note)
      unsafe start?.pointee = place.barBeat
      return 0
    }
    unsafe callbacks.transportStateProc = { data, plays, isNew, frame, cycles, start, end in
      unsafe SongTransport.transport(data, plays, nil, isNew, frame, cycles, start, end)
    }
    unsafe callbacks.transportStateProc2 = {
      data, plays, records, isNew, frame, cycles, start, end in
      unsafe SongTransport.transport(data, plays, records, isNew, frame, cycles, start, end)
    }
    unsafe try? unit.setHostCallbacks(callbacks)
  }

  /// The transport state: playing, from start to end.
  private static func transport(
    _ data: UnsafeMutableRawPointer?, _ plays: UnsafeMutablePointer<Bool>?,
    _ records: UnsafeMutablePointer<Bool>?, _ isNew: UnsafeMutablePointer<Bool>?,
    _ frame: UnsafeMutablePointer<Float64>?, _ cycles: UnsafeMutablePointer<Bool>?,
    _ start: UnsafeMutablePointer<Float64>?, _ end: UnsafeMutablePointer<Float64>?
  ) -> OSStatus {
    guard let song = unsafe of(data) else { return unknown }
    unsafe plays?.pointee = true
    unsafe records?.pointee = false
    unsafe isNew?.pointee = song.frame() <= 0
    unsafe frame?.pointee = Double(max(0, song.frame()))
    unsafe cycles?.pointee = false
    unsafe start?.pointee = 0
    unsafe end?.pointee = 0
    return 0
  }

  private var place: SongTimeline.Place? { timeline.place(atFrame: Double(max(0, frame()))) }

  private static let unknown = OSStatus(kAudioUnitErr_CannotDoInCurrentContext)

  private static func of(_ data: UnsafeMutableRawPointer?) -> SongTransport? {
    unsafe data.map { unsafe Unmanaged<SongTransport>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension UnitChain {
  /// Makes its units follow the timeline of a song, each by the sound that reaches it.
  ///
  /// - Returns: The transports that inform them, as long as the chain is used.
  func follow(_ timeline: SongTimeline) -> [SongTransport] {
    zip(stages, arrivalFrames).map { stage, late in
      let transport = SongTransport(timeline) { [unowned self] in frame - late }
      for unit in stage.units { transport.notify(unit) }
      return transport
    }
  }
}
