// The format in the header of an MPEG packet: layers 1 to 3, and AAC in ADTS.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
package import CAudioToolbox

/// Formats of packets that contain theirs.
package enum MPEGPacket {
  /// The format of a packet by its first four bytes; nil for other bytes.
  package static func format(_ bytes: [UInt8]) -> AudioStreamBasicDescription? {
    MPEGAudioHeader(bytes)?.format ?? AACConfig(frame: bytes)?.format
  }
}
