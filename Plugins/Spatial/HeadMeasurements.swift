// A measured head at a sample rate, read once in a process.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import Synchronization

/// The contents of a file of a head with two ears, at one sample rate.
struct HeadMeasurements {
  /// Unit vectors: to the front, to the left, upwards.
  let directions: [SIMD3<Float>]
  /// Frames of a response.
  let length: Int
  /// Responses by direction and ear, the left one first.
  let responses: [Float]
  /// Frames of delay that the file stores beside the responses, of each.
  let delays: [Float]
  /// The frames at which each response rises to a tenth of its greatest magnitude.
  let onsets: [Float]

  private static let tables = Mutex<[Int: HeadTable]>([:])

  /// The measured head at a sample rate (Hz). Context: control.
  ///
  /// - Throws: A sentence where libmysofa or its set are missing, and for rates that need too much memory.
  static func table(sampleRate: Double) throws(UnitRefusal) -> HeadTable {
    let key = Int(sampleRate.rounded())
    guard key <= 768_000 else {
      throw UnitRefusal(
        status: kAudioUnitErr_FormatNotSupported,
        reason: "a measured head (HRTF) is rendered at up to 768,000 Hz, not at \(key) Hz")
    }
    return try tables.withLock { (tables) throws(UnitRefusal) in
      if let known = tables[key] { return known }
      let made = HeadTable(try HeadMeasurements(sampleRate: Double(max(key, 1))))
      tables[key] = made
      return made
    }
  }

  /// Reads the set that comes with libmysofa, louder or softer so that sound from the front keeps its power.
  init(sampleRate: Double) throws(UnitRefusal) {
    let library = try SofaLibrary()
    var status: Int32 = 0
    guard let handle = unsafe library.load(SofaLibrary.defaultSet, &status) else {
      throw SofaLibrary.absence("the measured set \(SofaLibrary.defaultSet)")
    }
    defer { unsafe library.free(handle) }
    let set = unsafe handle.assumingMemoryBound(to: SofaLibrary.MeasuredSet.self)
    let measuredRate = unsafe set.pointee.sampleRate.values.map { unsafe Double($0[0]) } ?? 0
    guard unsafe library.check(handle) == 0, unsafe set.pointee.receivers == 2, measuredRate > 0,
      unsafe library.normalize(handle) > 0
    else {
      throw UnitRefusal(
        status: kAudioUnitErr_FailedInitialization,
        reason:
          "\(SofaLibrary.defaultSet) holds no head of two ears: install the package libmysofa1 again"
      )
    }
    unsafe library.useCartesian(handle)
    let count = unsafe Int(set.pointee.measurements)
    let measuredLength = unsafe Int(set.pointee.samples)
    directions = unsafe Self.directions(set.pointee.sourcePosition, count)
    let ratio = sampleRate / measuredRate
    let resampled = unsafe ResponseSet(
      length: measuredLength,
      samples: Self.floats(set.pointee.responses, 2 * count * measuredLength)
    ).resampled(by: ratio)
    length = resampled.length
    responses = resampled.samples
    let reported = unsafe Self.floats(
      set.pointee.delays, min(Int(set.pointee.delays.count), 2 * count))
    delays = (0..<2 * count).map {
      reported.isEmpty ? 0 : max(0, reported[$0 % reported.count]) * Float(ratio)
    }
    onsets = (0..<2 * count).map { [responses, length] row in
      Self.onset(responses[row * length..<(row + 1) * length])
    }
  }

  private static func floats(_ values: SofaLibrary.Values, _ count: Int) -> [Float] {
    guard let start = unsafe values.values else { return [] }
    let samples = unsafe UnsafeBufferPointer(start: start, count: Int(values.count))
    let found = unsafe Array(samples.prefix(count))
    return found + Array(repeating: 0, count: count - found.count)
  }

  private static func directions(_ values: SofaLibrary.Values, _ count: Int) -> [SIMD3<Float>] {
    let places = floats(values, 3 * count)
    return (0..<min(count, places.count / 3)).map { index in
      let place = SIMD3(places[3 * index], places[3 * index + 1], places[3 * index + 2])
      let square = place * place
      let size = (square.x + square.y + square.z).squareRoot()
      return size > 0 ? place / size : SIMD3(1, 0, 0)
    }
  }

  /// Returns the place at which a response first reaches a tenth of its greatest magnitude, between frames.
  private static func onset(_ response: ArraySlice<Float>) -> Float {
    let bound = 0.1 * (response.map { abs($0) }.max() ?? 0)
    guard bound > 0, let first = response.firstIndex(where: { abs($0) >= bound }) else { return 0 }
    let frame = Float(first - response.startIndex)
    guard first > response.startIndex else { return frame }
    let (before, here) = (abs(response[first - 1]), abs(response[first]))
    return frame - (here - bound) / max(here - before, 1e-12)
  }
}
