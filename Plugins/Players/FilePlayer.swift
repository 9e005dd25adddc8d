// The audio file player: plays regions of files at their time, read ahead on its own thread.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox
import RealtimeSupport

/// Plays the feeder's slices.
@safe struct FilePlayerKernel: UnitKernel, ~Copyable {
  private let feeder: Unmanaged<FileFeeder>
  private let queue: UnsafeMutablePointer<SliceQueue>
  private let sampleRate: Double
  private let isOffline: Bool

  /// Context: control.
  init(_ format: RenderFormat) { self.init(format, FileFeeder()) }

  init(_ format: RenderFormat, _ feeder: FileFeeder) {
    unsafe self.feeder = unsafe .passRetained(feeder)
    unsafe queue = feeder.schedule.queue
    sampleRate = format.sampleRate
    isOffline = format.isOffline
    feeder.open(format)
  }

  deinit {
    unsafe feeder.takeUnretainedValue().close()
    unsafe feeder.release()
  }

  /// Drops all regions, and forgets the start. Context: control.
  mutating func reset() { unsafe feeder.takeUnretainedValue().reset() }

  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    var frame = 0
    var isSilent = true
    while frame < slice.frameCount {
      var count = slice.frameCount - frame
      if isOffline {
        let feeder = unsafe feeder
        // Door out of checked code: offline, the file is read here.
        let ready = unsafe _unsafePerformance {
          unsafe feeder._withUnsafeGuaranteedRef { $0.catchUp() }
        }
        count = min(count, ready)
      }
      if unsafe !queue.pointee.play(
        slice, from: frame, count, sampleRate: sampleRate, waits: isOffline)
      {
        isSilent = false
      }
      frame += count
    }
    if isSilent { slice.markOutputSilent() }
  }
}

/// The properties of one file player; ends the feeder's thread when its unit is gone.
///
/// @unchecked Sendable because the feeder is.
final class FilePlayerProperties: @unchecked Sendable {
  private let feeder: FileFeeder
  init(_ feeder: FileFeeder) { self.feeder = feeder }
  deinit { feeder.end() }

  var list: [PropertyDefinition] {
    [
      fileIDs,
      .setting(kAudioUnitProperty_ScheduledFilePrime, UInt32.self) { [self] unit, frames in
        guard feeder.prime(frames == 0 ? .max : Int(frames)) else {
          return unit.refuse(
            kAudioUnitErr_Uninitialized, "the player can read ahead once it is initialised")
        }
        return 0
      },
      number(
        kAudioUnitProperty_ScheduledFileBufferSizeFrames, { $0.wantedFrames },
        { $0.wantedFrames = $1 }),
      number(
        kAudioUnitProperty_ScheduledFileNumberBuffers, { $0.wantedBuffers },
        { $0.wantedBuffers = $1 }),
      unsafe .setting(kAudioUnitProperty_ScheduledFileRegion, ScheduledAudioFileRegion.self) {
        [self] unit, region in
        guard unsafe region.mFramesToPlay > 0, unsafe feeder.add(region) else {
          return unit.refuse(
            kAudioUnitErr_FileNotSpecified,
            "a region has frames, and is of a file that was given as one of the scheduled files")
        }
        return 0
      },
    ]
  }

  private func number(
    _ id: AudioUnitPropertyID, _ get: @escaping @Sendable (FileFeeder) -> UInt32,
    _ set: @escaping @Sendable (FileFeeder, UInt32) -> Void
  ) -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: id, size: 4,
      read: { [self] _, _, data in
        unsafe data.storeBytes(of: get(feeder), as: UInt32.self)
        return 0
      },
      write: { [self] _, _, data, size in
        guard let data = unsafe data, size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
        set(feeder, unsafe data.loadUnaligned(as: UInt32.self))
        return 0
      })
  }

  private var fileIDs: PropertyDefinition {
    var property = unsafe PropertyDefinition(
      id: kAudioUnitProperty_ScheduledFileIDs, size: 0,
      read: { [self] _, _, data in
        let files = unsafe feeder.fileIDs
        for index in 0..<(unsafe files.count) {
          unsafe data.storeBytes(
            of: files[index], toByteOffset: index * 8, as: AudioFileHandle.self)
        }
        return 0
      },
      write: { [self] unit, _, data, size in
        guard let data = unsafe data, size > 0, size % 8 == 0 else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        guard FileFunctions.found != nil else {
          return unit.refuse(kAudioUnitErr_CannotDoInCurrentContext, FileFunctions.absence)
        }
        var files: [AudioFileHandle] = unsafe []
        for offset in stride(from: 0, to: Int(size), by: 8) {
          let file = unsafe data.loadUnaligned(
            fromByteOffset: offset, as: Optional<AudioFileHandle>.self)
          guard let file = unsafe file else {
            return unit.refuse(kAudioUnitErr_FileNotSpecified, "one of the files is null")
          }
          unsafe files.append(file)
        }
        unsafe feeder.fileIDs = unsafe files
        return 0
      })
    property.currentSize = { [self] _, _ in UInt32(unsafe feeder.fileIDs.count * 8) }
    return property
  }
}

/// Makes one audio file player; the factory function of the component. Context: control.
@c(AuricleFilePlayerFactory)
public func filePlayerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let feeder = FileFeeder()
  let definition = playerDefinition(
    FilePlayerProperties(feeder).list + feeder.schedule.properties)
  return unsafe makeAudioUnit(definition, description) { state, slice in
    unsafe runKernel(FilePlayerKernel.self, state, slice)
  } makeKernel: { format in
    FilePlayerKernel(format, feeder)
  }
}
