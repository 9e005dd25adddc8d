// The parameters of panners, and their effect on a source.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// The common parameters of the panners.
enum PannerParameters {
  /// In the order `place(_:)` reads them.
  static let all = [
    ParameterDefinition(
      id: kPannerParam_Gain, name: "gain", unit: kAudioUnitParameterUnit_LinearGain, range: 0...1,
      defaultValue: 1),
    ParameterDefinition(
      id: kPannerParam_Azimuth, name: "azimuth", unit: kAudioUnitParameterUnit_Degrees,
      range: -180...180, defaultValue: 0),
    ParameterDefinition(
      id: kPannerParam_Elevation, name: "elevation", unit: kAudioUnitParameterUnit_Degrees,
      range: -90...90, defaultValue: 0),
    ParameterDefinition(
      id: kPannerParam_Distance, name: "distance", unit: kAudioUnitParameterUnit_Generic,
      range: 0...1, defaultValue: 1),
    ParameterDefinition(
      id: kPannerParam_CoordScale, name: "coordinate scale", unit: kAudioUnitParameterUnit_Meters,
      range: 0.01...1000, defaultValue: 1, isLogarithmic: true),
    ParameterDefinition(
      id: kPannerParam_RefDistance, name: "reference distance",
      unit: kAudioUnitParameterUnit_Meters, range: 0.01...1000, defaultValue: 1,
      isLogarithmic: true),
  ]

  /// Returns a source's place by the parameters. It is never louder than at the reference distance;
  /// beyond it its level falls by 6 dB as the distance doubles.
  @_noLocks static func place(_ slice: borrowing RenderSlice) -> Place {
    let distance = Double(slice.parameter(3)) * Double(slice.parameter(4))
    let reference = Double(slice.parameter(5))
    return Place(
      azimuth: Double(slice.parameter(1)) * .pi / 180,
      elevation: Double(slice.parameter(2)) * .pi / 180,
      gain: Double(slice.parameter(0)) * reference / max(reference, distance))
  }

  /// Whether any of them is scheduled for the slice.
  @_noLocks static func areScheduled(_ slice: borrowing RenderSlice) -> Bool {
    guard slice.hasScheduledValues else { return false }
    for index in 0..<6 where slice.parameterIsScheduled(index) { return true }
    return false
  }
}

extension Place {
  /// The same place turned by degrees.
  @_noLocks func turned(by degrees: Double) -> Place {
    var turned = self
    turned.azimuth += degrees * .pi / 180
    if turned.azimuth > .pi { turned.azimuth -= 2 * .pi }
    if turned.azimuth < -.pi { turned.azimuth += 2 * .pi }
    return turned
  }
}
