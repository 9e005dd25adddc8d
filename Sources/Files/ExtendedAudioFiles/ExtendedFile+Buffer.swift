// The memory between file and converter, and the sizes of packets.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
package import AudioFormats
import CAudioToolbox

extension ExtendedFile {
  /// Bytes of the memory between file and converter.
  package var bufferSize: UInt32 { UInt32(clamping: buffer.size) }

  /// The memory between file and converter.
  package var bufferMemory: UnsafeMutableRawPointer? {
    unsafe buffer.memory
  }

  /// Sets the bytes of that memory.
  ///
  /// - Throws: -50 where not even a packet fits.
  package func setBufferSize(_ size: Int) throws(AudioFileFailure) {
    guard size > 0, size >= (try Int(fileMaxPacketSize())) else { throw .parameter }
    buffer.setSize(size)
  }

  /// Uses memory of the client; nil for the file's memory again.
  package func setBuffer(_ memory: UnsafeMutableRawPointer?) { unsafe buffer.setMemory(memory) }

  /// The largest packet of the file, in bytes, without reading all of it where its format bounds it.
  ///
  /// - Throws: -66567 if the size is not known yet.
  package func fileMaxPacketSize() throws(AudioFileFailure) -> UInt32 {
    if isWriting, fileFormat.mBytesPerPacket == 0 {
      guard let converter,
        let bytes = converter.value(of: kAudioConverterPropertyMaximumOutputPacketSize),
        bytes.count == 4
      else { throw AudioFileFailure(kExtAudioFileError_MaxPacketSizeUnknown) }
      return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) }
    }
    return try file.value { (file) throws(AudioFileFailure) in
      let bound = file.packetSizeBound()
      return bound > 0 ? bound : try file.largestPacket()
    }
  }

  /// The layout of the file where the client's channels are the same ones.
  package var sharedLayout: ChannelLayout? {
    clientFormat.mChannelsPerFrame == fileFormat.mChannelsPerFrame ? fileLayout : nil
  }
}
