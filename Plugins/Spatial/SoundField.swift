// A direction as a sound field: ambisonics to third order, or B-format.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// Spherical harmonics of a direction. Context: render.
enum SoundField {
  /// Sets the gains of 4, 9 or 16 channels: the harmonics in the order ACN, normalised SN3D.
  ///
  /// - Parameters:
  ///   - azimuth: Radians, positive to the right, as everywhere in Core Audio.
  ///   - elevation: Radians, positive up.
  @_noLocks static func encode(
    _ gains: UnsafeMutablePointer<Float>, _ count: Int, azimuth: Double, elevation: Double,
    gain: Double
  ) {
    // In ambisonics angles go to the left.
    let turn = -azimuth
    let (s, c) = (RealtimeMath.sin(turn), RealtimeMath.cos(turn))
    let (z, flat) = (RealtimeMath.sin(elevation), RealtimeMath.cos(elevation))
    @_noLocks func set(_ index: Int, _ value: Double) {
      unsafe gains[index] = Float(gain * value)
    }
    set(0, 1)
    set(1, s * flat)
    set(2, z)
    set(3, c * flat)
    guard count >= 9 else { return }
    let (s2, c2) = (2 * s * c, c * c - s * s)
    let half3 = 0.866_025_403_784_438_6
    set(4, half3 * s2 * flat * flat)
    set(5, 2 * half3 * s * z * flat)
    set(6, (3 * z * z - 1) / 2)
    set(7, 2 * half3 * c * z * flat)
    set(8, half3 * c2 * flat * flat)
    guard count >= 16 else { return }
    let (s3, c3) = (s2 * c + c2 * s, c2 * c - s2 * s)
    let root58 = 0.790_569_415_042_094_8, half15 = 1.936_491_673_103_708_5
    let root38 = 0.612_372_435_695_794_5
    set(9, root58 * s3 * flat * flat * flat)
    set(10, half15 * s2 * z * flat * flat)
    set(11, root38 * s * flat * (5 * z * z - 1))
    set(12, z * (5 * z * z - 3) / 2)
    set(13, root38 * c * flat * (5 * z * z - 1))
    set(14, half15 * c2 * z * flat * flat)
    set(15, root58 * c3 * flat * flat * flat)
  }

  /// Sets the gains of B-format: W, 3 dB down, then X (front), Y (left), Z (up).
  @_noLocks static func encodeBFormat(
    _ gains: UnsafeMutablePointer<Float>, azimuth: Double, elevation: Double, gain: Double
  ) {
    let flat = gain * RealtimeMath.cos(elevation)
    unsafe gains[0] = Float(gain * 0.707_106_781_186_547_6)
    unsafe gains[1] = Float(flat * RealtimeMath.cos(azimuth))
    unsafe gains[2] = Float(-flat * RealtimeMath.sin(azimuth))
    unsafe gains[3] = Float(gain * RealtimeMath.sin(elevation))
  }
}
