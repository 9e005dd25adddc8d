// A MIDI file through an instrument: what is asked for, and what came of it.
// SPDX-License-Identifier: Apache-2.0

public import AuricleHost
public import FileRendering

/// One song to be rendered.
public struct SongRequest: Sendable {
  /// The MIDI file.
  public var song: String
  /// The instrument, and the effects behind it.
  public var chain: ChainRequest
  /// The audio file; its ending chooses the container.
  public var output: String
  /// The sound bank of the instrument, by an absolute path; nil leaves the instrument's own.
  public var bank: String?
  /// What is said in place of a song; the chain then has the effects behind the voice.
  public var speech: SpokenText?
  /// The track that is played alone, from 1; nil for all.
  public var track: Int?
  /// The variant that a preset with random values makes; nil for values as they are written.
  public var variant: VariantRequest?
  /// Frames a second (Hz).
  public var sampleRate = 48_000.0
  /// Channels of the result, 1 or 2.
  public var channelCount = 2
  /// How samples are stored, such as `pcm24`; nil for what suits the container.
  public var encoding: String?
  /// The most seconds that are rendered behind the last event until it is silent.
  public var tailSeconds = 30.0
  /// Whether each instrument of the preset gets a file of its own beside the mix.
  public var hasStems = false
  /// Whether a file that is there is replaced.
  public var overwrites = false

  /// Asks for a song.
  public init(song: String, chain: ChainRequest, output: String) {
    self.song = song
    self.chain = chain
    self.output = output
  }
}

/// What was rendered.
public struct SongOutcome: Sendable {
  /// Seconds of sound.
  public var seconds = 0.0
  /// The highest sample, linear.
  public var peak = 0.0
  /// The files of single instruments, with the highest sample of each.
  public var stems: [(path: String, peak: Double)] = []
  /// What is worth a line.
  public var notes: [String] = []

  /// Nothing yet.
  public init() {}
}
