// The names of each type of file: names, extensions, uniform and MIME types.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// One type of sound file.
package struct FileType: Sendable {
  /// Its code.
  package let type: AudioFileTypeID
  /// Its name.
  package let name: String
  /// The endings of names of such files, the usual one first; without dots.
  package let extensions: [String]
  /// Its uniform type identifiers.
  package let uniformTypes: [String]
  /// Its MIME types.
  package let mimeTypes: [String]
  /// The codes of the classic file system.
  package let systemCodes: [UInt32]

  private init(
    _ type: AudioFileTypeID, _ name: String, _ extensions: [String], _ uniformTypes: [String],
    _ mimeTypes: [String], _ systemCodes: [UInt32] = []
  ) {
    self.type = type
    self.name = name
    self.extensions = extensions
    self.uniformTypes = uniformTypes
    self.mimeTypes = mimeTypes
    self.systemCodes = systemCodes
  }

  private static let wave = ["audio/wav", "audio/wave", "audio/x-wav", "audio/vnd.wave"]
  private static let mpeg = ["audio/mpeg", "audio/mp3", "audio/mpeg3"]

  /// All types that can be read or written.
  package static let all: [FileType] = [
    FileType(
      kAudioFileAIFFType, "AIFF", ["aif", "aiff"], ["public.aiff-audio"],
      ["audio/aiff", "audio/x-aiff"], [kAudioFileAIFFType]),
    FileType(
      kAudioFileAIFCType, "AIFC", ["aifc", "aif", "aiff"], ["public.aifc-audio"],
      ["audio/aiff", "audio/x-aiff"], [kAudioFileAIFCType]),
    FileType(
      kAudioFileWAVEType, "WAVE", ["wav", "wave"], ["com.microsoft.waveform-audio"], wave,
      [kAudioFileWAVEType]),
    FileType(kAudioFileRF64Type, "RF64", ["wav", "rf64"], ["com.microsoft.waveform-audio"], wave),
    FileType(kAudioFileBW64Type, "BW64", ["wav", "bw64"], ["com.microsoft.waveform-audio"], wave),
    FileType(kAudioFileWave64Type, "Wave64", ["w64"], ["com.sonicfoundry.wave-64"], []),
    FileType(
      kAudioFileCAFType, "CAF (Core Audio Format)", ["caf"], ["com.apple.coreaudio-format"],
      ["audio/x-caf"], [kAudioFileCAFType]),
    FileType(
      kAudioFileNextType, "NeXT/Sun", ["au", "snd"], ["public.au-audio"], ["audio/basic"],
      [kAudioFileNextType]),
    FileType(
      kAudioFileM4AType, "Apple MPEG-4 Audio", ["m4a", "m4r"], ["com.apple.m4a-audio"],
      ["audio/x-m4a", "audio/mp4"], [kAudioFileM4AType]),
    FileType(
      kAudioFileM4BType, "Apple MPEG-4 AudioBooks", ["m4b"], ["com.apple.m4b-audio"],
      ["audio/x-m4a", "audio/mp4"]),
    FileType(
      kAudioFileMPEG4Type, "MPEG-4 Audio", ["mp4", "mpg4"], ["public.mpeg-4"],
      ["audio/x-m4a", "audio/mp4"], [kAudioFileMPEG4Type]),
    FileType(
      kAudioFile3GPType, "3GP Audio", ["3gp", "3gpp"], ["public.3gpp"],
      ["audio/3gpp", "audio/3gpp2"]),
    FileType(
      kAudioFile3GP2Type, "3GPP-2 Audio", ["3g2", "3gp2"], ["public.3gpp2"],
      ["audio/3gpp", "audio/3gpp2"]),
    FileType(
      kAuricleAudioFileOggType, "Ogg", ["ogg", "oga", "opus"], ["org.xiph.ogg-audio"],
      ["audio/ogg", "audio/opus", "audio/vorbis"]),
    FileType(kAudioFileFLACType, "FLAC", ["flac"], ["org.xiph.flac"], ["audio/flac"]),
    FileType(
      kAudioFileAMRType, "AMR", ["amr"], ["org.3gpp.adaptive-multi-rate-audio"], ["audio/amr"]),
    FileType(kAudioFileAC3Type, "AC3", ["ac3"], ["public.ac3-audio"], ["audio/ac3"]),
    FileType(
      kAudioFileAAC_ADTSType, "AAC ADTS", ["aac", "adts"], ["public.aac-audio"],
      ["audio/aac", "audio/aacp"]),
    FileType(
      kAudioFileMP3Type, "MPEG Layer 3", ["mp3", "mpga"], ["public.mp3"], mpeg,
      [kAudioFileMP3Type]),
    FileType(
      kAudioFileMP2Type, "MPEG Layer 2", ["mp2"], ["public.mp2"], ["audio/mpeg"],
      [kAudioFileMP2Type]),
    FileType(
      kAudioFileMP1Type, "MPEG Layer 1", ["mp1"], ["public.mpeg-audio"], ["audio/mpeg"],
      [kAudioFileMP1Type]),
  ]

  /// The type with a code.
  ///
  /// - Throws: `.fileType` for none.
  package static func of(_ type: AudioFileTypeID) throws(AudioFileFailure) -> FileType {
    guard let found = all.first(where: { $0.type == type }) else { throw .fileType }
    return found
  }
}
