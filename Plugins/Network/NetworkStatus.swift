// The status of both units, as a parameter has it.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox

/// The unit of measure of a status.
let networkStatusUnit = ParameterUnit(code: kAudioUnitParameterUnit_Indexed)

/// The names of the statuses, in the order of their numbers.
let networkStatusNames = [
  "not connected", "connected", "overflow", "underflow", "connecting", "listening",
]

/// Properties of this program's own, beyond those of Core Audio.
enum NetworkProperty {
  /// The counts of a link: lines of a name and a number, as `CFString`.
  static let statistics: UInt32 = 64_100
  /// The description of plain RTP as SDP, as `CFString`.
  static let description: UInt32 = 64_101
}
