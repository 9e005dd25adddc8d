// The base of units that need their whole input.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import Synchronization

/// An effect that needs its whole input: a host runs it over all of it in order.
///
/// Where `preflight` demands it, a first pass analyses the input and a second one renders. See
/// `RenderSlice.isPreflight`.
///
/// ```swift
/// static let preflight = OfflinePreflight.notRequired
/// static let processesInPlace = false
/// static let pullsInputs = true
/// static func outputFrames(_ inputFrames: UInt64, _ parameters: Parameters) -> UInt64 {
///   2 * inputFrames
/// }
/// ```
///
/// These members are those of a unit that plays its input at half the speed.
public protocol OfflineUnit: AuricleUnit, ~Copyable {
  /// Whether the unit has to see the whole input before it renders; where that is required, a pass that renders without
  /// fails with `kAudioUnitErr_InvalidOfflineRender`.
  ///
  /// The corresponding property is `kAudioUnitOfflineProperty_PreflightRequirements`.
  static var preflight: OfflinePreflight { get }
  /// The name of the analysing pass, for a progress bar; `kAudioUnitOfflineProperty_PreflightName`.
  static var preflightName: String { get }
  /// Returns the number of frames that come out of so many that go in, by default as many. Context: control.
  ///
  /// - Parameters:
  ///   - inputFrames: Frames of the whole input.
  ///   - parameters: Their present values.
  /// - Returns: Frames after which the rendering pass ends; `kAudioUnitOfflineProperty_OutputSize`.
  static func outputFrames(_ inputFrames: UInt64, _ parameters: Parameters) -> UInt64
}

/// Whether an offline unit analyses its whole input first.
///
/// The corresponding Core Audio values are `kOfflinePreflight_…`.
public enum OfflinePreflight: UInt32, Sendable {
  case notRequired = 0, optional = 1, required = 2
}

extension OfflineUnit where Self: ~Copyable {
  /// `kAudioUnitType_OfflineEffect`.
  public static var componentType: OSType { kAudioUnitType_OfflineEffect }
  /// Yes.
  public static var processesInPlace: Bool { true }
  /// "Analyzing".
  public static var preflightName: String { "Analyzing" }
  /// As many.
  public static func outputFrames(_ inputFrames: UInt64, _ parameters: Parameters) -> UInt64 {
    inputFrames
  }
  /// Sets the properties of offline units.
  public static func arrange(_ definition: inout UnitDefinition) {
    definition.runsOffline = true
    definition.needsPreflight = preflight == .required
    definition.properties += [
      count(
        kAudioUnitOfflineProperty_InputSize, write: { $0.inputFrames.store($1, ordering: .relaxed) }
      ) {
        $1.inputFrames.load(ordering: .relaxed)
      },
      count(
        kAudioUnitOfflineProperty_StartOffset,
        write: { $0.startOffset.store($1, ordering: .relaxed) }
      ) {
        $1.startOffset.load(ordering: .relaxed)
      },
      count(kAudioUnitOfflineProperty_OutputSize, write: nil) { outputFrames(of: $0, $1) },
    ]
    let (preflight, name) = (preflight, preflightName)
    unsafe definition.properties += [
      PropertyDefinition(
        id: kAudioUnitOfflineProperty_PreflightRequirements, size: 4,
        read: { _, _, data in
          unsafe data.storeBytes(of: preflight.rawValue, as: UInt32.self)
          return 0
        }),
      PropertyDefinition(
        id: kAudioUnitOfflineProperty_PreflightName, size: UInt32(MemoryLayout<CFStringRef?>.size),
        read: { _, _, data in
          unsafe data.storeBytes(of: makeCFString(name), as: CFStringRef?.self)
          return 0
        }),
    ]
  }

  /// Makes a property that is a number of frames.
  private static func count(
    _ id: AudioUnitPropertyID,
    write: (@Sendable (borrowing OfflineJob, UInt64) -> Void)?,
    read: @escaping @Sendable (UnitInstance, borrowing OfflineJob) -> UInt64
  ) -> PropertyDefinition {
    var set: PropertyWrite?
    if let write {
      unsafe set = { unit, _, data, size in
        guard let data = unsafe data, size == 8 else { return kAudioUnitErr_InvalidPropertyValue }
        unsafe write(unit.render.pointee.job, data.loadUnaligned(as: UInt64.self))
        _ = unsafe outputFrames(of: unit, unit.render.pointee.job)
        return 0
      }
    }
    return unsafe PropertyDefinition(
      id: id, size: 8,
      read: { unit, _, data in
        unsafe data.storeBytes(of: read(unit, unit.render.pointee.job), as: UInt64.self)
        return 0
      }, write: set)
  }

  /// Returns the number of frames that come out with the parameters as they are; the render pass ends
  /// after so many.
  private static func outputFrames(of unit: UnitInstance, _ job: borrowing OfflineJob) -> UInt64 {
    let parameters = Parameters()
    let handles = parameters.handles
    defer { handles.forEach { $0.deallocate() } }
    for (place, handle) in handles.enumerated() { handle.bind(to: unit.values, at: place) }
    let frames = outputFrames(job.inputFrames.load(ordering: .relaxed), parameters)
    job.outputFrames.store(frames, ordering: .relaxed)
    return frames
  }
}
