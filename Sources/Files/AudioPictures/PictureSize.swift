// The sizes of pictures: the more files a run has, the smaller.
// SPDX-License-Identifier: Apache-2.0

/// The size of a picture in pixels.
public enum PictureSize: String, Sendable, CaseIterable {
  /// For up to 2,000 files: 320 × 112, some 6 kB.
  case large
  /// For up to 20,000 files: 160 × 56, some 2 kB.
  case medium
  /// For more: 96 × 32, some 700 bytes.
  case small

  /// The size for a run of so many files.
  ///
  /// Context: any.
  public init(fileCount: Int) {
    self = fileCount <= 2000 ? .large : fileCount <= 20_000 ? .medium : .small
  }

  /// Pixels from left to right.
  public var width: Int {
    switch self {
    case .large: 320
    case .medium: 160
    case .small: 96
    }
  }

  /// Rows of the waveform, above.
  public var waveformHeight: Int {
    switch self {
    case .large: 48
    case .medium: 24
    case .small: 16
    }
  }

  /// Rows of the spectrogram, below.
  public var spectrogramHeight: Int {
    switch self {
    case .large: 64
    case .medium: 32
    case .small: 16
    }
  }

  /// All rows.
  public var height: Int { waveformHeight + spectrogramHeight }
}
