// The sound file that a text is said into: one that is made, or a program's own.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// A file at work. Context: control, under the channel's lock.
///
/// @unchecked Sendable because of that lock.
@safe final class SpeechFile: @unchecked Sendable {
  let file: ExtAudioFileRef
  private let isOwn: Bool

  /// Makes a file of one channel, 16 bits, whose ending chooses AIFF, WAVE or CAF.
  ///
  /// - Throws: -50 for another ending, errors of the file's place.
  init(path: String) throws(SpeechFailure) {
    let ending = path.split(separator: ".").last?.lowercased() ?? ""
    let kinds: [String: (AudioFileTypeID, isBig: Bool)] = [
      "wav": (kAudioFileWAVEType, false), "wave": (kAudioFileWAVEType, false),
      "caf": (kAudioFileCAFType, false), "aif": (kAudioFileAIFFType, true),
      "aiff": (kAudioFileAIFFType, true), "aifc": (kAudioFileAIFCType, true),
    ]
    guard let (type, isBig) = kinds[ending] else { throw .parameter }
    var format = AudioStreamBasicDescription(
      mSampleRate: SpeechOutput.fileRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        | (isBig ? kAudioFormatFlagIsBigEndian : 0), mBytesPerPacket: 2, mFramesPerPacket: 1,
      mBytesPerFrame: 2, mChannelsPerFrame: 1, mBitsPerChannel: 16, mReserved: 0)
    var (made, path): (ExtAudioFileRef?, String) = (nil, path)
    let url = path.withUTF8 {
      unsafe CFURLCreateFromFileSystemRepresentation(nil, $0.baseAddress, $0.count, false)
    }
    defer { if let url = unsafe url { unsafe CFRelease(UnsafeRawPointer(url)) } }
    let status = unsafe ExtAudioFileCreateWithURL(
      url, type, &format, nil, UInt32(kAudioFileFlags_EraseFile), &made)
    guard status == noErr, let made = unsafe made else {
      throw SpeechFailure(status == noErr ? ioErr : status)
    }
    unsafe file = unsafe made
    isOwn = true
    try useFloat()
  }

  /// Uses a file of the program's, which stays open.
  init(_ file: ExtAudioFileRef) throws(SpeechFailure) {
    unsafe self.file = unsafe file
    isOwn = false
    try useFloat()
  }

  deinit { if isOwn { unsafe _ = ExtAudioFileDispose(file) } }

  private func useFloat() throws(SpeechFailure) {
    var format = AudioStreamFormat(sampleRate: SpeechOutput.fileRate, channelCount: 1).asbd
    let status = unsafe ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat,
      UInt32(MemoryLayout<AudioStreamBasicDescription>.size), &format)
    if status != noErr { throw .parameter }
  }
}
