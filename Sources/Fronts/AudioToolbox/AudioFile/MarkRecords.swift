// Markers and regions as the records of AudioFile.h.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileProperties
import AudioTypes
import CAudioToolbox

/// AudioFileMarkerList and AudioFileRegionList in a caller's memory. The names are the reader's to release.
enum MarkRecords {
  /// Bytes of a list before its first record, and of a region before its first marker.
  private static let listHead = 8
  private static let regionHead = 24
  private static let markSize = unsafe MemoryLayout<AudioFileMarker>.stride

  private static func record(_ mark: SoundMark) -> AudioFileMarker {
    var record = unsafe AudioFileMarker()
    unsafe record.mFramePosition = mark.frame
    unsafe record.mName = unsafe makeCFString(mark.name)
    unsafe record.mMarkerID = mark.identifier
    let parts = mark.time.parts
    if parts.count == 4 {
      unsafe record.mSMPTETime = AudioFile_SMPTE_Time(
        mHours: Int8(bitPattern: parts[0]), mMinutes: parts[1], mSeconds: parts[2],
        mFrames: parts[3], mSubFrameSampleOffset: mark.time.offset)
    }
    unsafe record.mType = mark.type
    unsafe record.mChannel = mark.channel
    return unsafe record
  }

  private static func mark(_ record: AudioFileMarker) -> SoundMark {
    var mark = unsafe SoundMark(
      identifier: record.mMarkerID, frame: record.mFramePosition,
      name: String(cfString: record.mName) ?? "")
    let time = unsafe record.mSMPTETime
    mark.time = SMPTEBytes(
      parts: [UInt8(bitPattern: time.mHours), time.mMinutes, time.mSeconds, time.mFrames],
      offset: time.mSubFrameSampleOffset)
    mark.type = unsafe record.mType
    mark.channel = unsafe record.mChannel
    return mark
  }

  /// Writes the markers of a file; there is room for their size.
  static func writeMarkers(_ marks: SoundMarks, to memory: UnsafeMutableRawPointer) {
    unsafe memory.storeBytes(of: marks.timeType, as: UInt32.self)
    unsafe memory.storeBytes(of: UInt32(marks.marks.count), toByteOffset: 4, as: UInt32.self)
    for (index, mark) in marks.marks.enumerated() {
      unsafe memory.storeBytes(
        of: record(mark), toByteOffset: listHead + index * markSize, as: AudioFileMarker.self)
    }
  }

  /// Writes the regions of a file; there is room for their size.
  static func writeRegions(_ marks: SoundMarks, to memory: UnsafeMutableRawPointer) {
    unsafe memory.initializeMemory(
      as: UInt8.self, repeating: 0, count: FileProperties.size(ofRegions: marks))
    unsafe memory.storeBytes(of: marks.timeType, as: UInt32.self)
    unsafe memory.storeBytes(of: UInt32(marks.regions.count), toByteOffset: 4, as: UInt32.self)
    var place = unsafe memory + listHead
    for region in marks.regions {
      unsafe place.storeBytes(of: region.identifier, as: UInt32.self)
      unsafe place.storeBytes(
        of: UInt(bitPattern: makeCFString(region.name)), toByteOffset: 8, as: UInt.self)
      unsafe place.storeBytes(of: region.flags, toByteOffset: 16, as: UInt32.self)
      unsafe place.storeBytes(of: UInt32(region.marks.count), toByteOffset: 20, as: UInt32.self)
      unsafe place += regionHead
      for mark in region.marks {
        unsafe place.storeBytes(of: record(mark), as: AudioFileMarker.self)
        unsafe place += markSize
      }
    }
  }

  /// Reads a list of markers of a size in bytes.
  static func markers(
    _ memory: UnsafeRawPointer, _ size: Int
  ) throws(AudioFileFailure) -> SoundMarks {
    guard size >= listHead else { throw .size }
    var marks = SoundMarks()
    marks.timeType = unsafe memory.loadUnaligned(as: UInt32.self)
    let count = Int(unsafe memory.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    guard count <= (size - listHead) / markSize else { throw .size }
    for index in 0..<count {
      marks.marks.append(
        unsafe mark(
          memory.loadUnaligned(
            fromByteOffset: listHead + index * markSize, as: AudioFileMarker.self)))
    }
    return marks
  }

  /// Reads a list of regions of a size in bytes.
  static func regions(
    _ memory: UnsafeRawPointer, _ size: Int
  ) throws(AudioFileFailure) -> SoundMarks {
    guard size >= listHead else { throw .size }
    var marks = SoundMarks()
    marks.timeType = unsafe memory.loadUnaligned(as: UInt32.self)
    let count = unsafe memory.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    var place = listHead
    for _ in 0..<count {
      guard place + regionHead <= size else { throw .size }
      let inner = Int(unsafe memory.loadUnaligned(fromByteOffset: place + 20, as: UInt32.self))
      guard inner <= (size - place - regionHead) / markSize else { throw .size }
      let name = unsafe memory.loadUnaligned(fromByteOffset: place + 8, as: CFStringRef?.self)
      var region = unsafe SoundRegion(
        identifier: memory.loadUnaligned(fromByteOffset: place, as: UInt32.self),
        name: String(cfString: name) ?? "",
        flags: memory.loadUnaligned(fromByteOffset: place + 16, as: UInt32.self), marks: [])
      place += regionHead
      for _ in 0..<inner {
        region.marks.append(
          unsafe mark(memory.loadUnaligned(fromByteOffset: place, as: AudioFileMarker.self)))
        place += markSize
      }
      marks.regions.append(region)
    }
    return marks
  }
}
