// A figure as a file, or in the form for a terminal.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import Foundation
import HostSystem

/// The kinds of files that a picture can be.
public enum PictureFile: String, Sendable, CaseIterable {
  /// Scalable; drawn here.
  case svg
  /// Pixels; by rsvg-convert.
  case png

  /// The kind that the ending of a path names; nil for another.
  public init?(path: String) {
    self.init(rawValue: (path as NSString).pathExtension.lowercased())
  }
}

extension PlotFigure {
  /// The picture as an SVG document.
  public func svg(_ theme: PlotTheme) -> String { SVGDrawing(self, theme: theme).text }

  /// The picture as text.
  public func text(_ terminal: TerminalAbilities) -> String {
    TerminalDrawing(self, terminal).text
  }

  /// The picture as a PNG file of so many pixels across.
  ///
  /// - Throws: `.unavailable` where rsvg-convert is not installed.
  ///
  /// Context: control; starts a process.
  public func png(_ theme: PlotTheme, width: Int) throws(AuricleError) -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-\(UUID().uuidString).svg")
    defer { try? FileManager.default.removeItem(at: file) }
    let drawing = svg(theme == .auto ? .light : theme)
    guard FileManager.default.createFile(atPath: file.path, contents: Data(drawing.utf8)) else {
      throw AuricleError(.inputOutput, "\(file.path) cannot be written")
    }
    let result = ChildProcess.run(
      "/usr/bin/env", ["rsvg-convert", "--format=png", "--width=\(width)", file.path],
      timeLimit: .seconds(60))
    if result.end == .exited(0), result.output.starts(with: [0x89, 0x50]) { return result.output }
    guard result.end == .exited(127) else {
      throw AuricleError(
        .software, "rsvg-convert made no PNG of the picture: write an .svg file instead")
    }
    throw AuricleError(
      .unavailable,
      "a PNG is made by rsvg-convert, which is not installed: install librsvg2-bin, or write an .svg file"
    )
  }

  /// Writes the picture, whole or not at all.
  ///
  /// - Throws: `.usage` for an ending that is neither .svg nor .png; errors of the place.
  ///
  /// Context: control.
  public func write(
    to path: String, theme: PlotTheme, width: Int, overwrite: Bool
  ) throws(AuricleError) {
    guard let kind = PictureFile(path: path) else {
      throw AuricleError(.usage, "\(path) is to end in .svg or .png")
    }
    let bytes = kind == .svg ? Array(svg(theme).utf8) : try png(theme, width: width)
    let file = try AtomicFile(path: path, overwrite: overwrite)
    let failure = FileTransfer.writeAll(bytes, to: file.descriptor)
    guard failure == 0 else { throw systemError(failure, "write", path) }
    try file.commit()
  }
}

/// The protocol by which a terminal is sent pictures.
public enum TerminalPictures: Sendable {
  /// The graphics protocol of kitty, also of WezTerm, Ghostty and Konsole.
  case kitty
  /// Inline images of iTerm2.
  case inline

  /// Detects the pictures that the terminal of these environment variables can show; nil for none.
  public init?(environment: [String: String]) {
    let program = environment["TERM_PROGRAM"] ?? ""
    // A multiplexer swallows unknown sequences.
    if environment["TMUX"] != nil || environment["STY"] != nil { return nil }
    if environment["KITTY_WINDOW_ID"] != nil || environment["KONSOLE_VERSION"] != nil
      || ["WezTerm", "ghostty"].contains(program)
    {
      self = .kitty
    } else if program == "iTerm.app" {
      self = .inline
    } else {
      return nil
    }
  }

  /// The characters that show a PNG file.
  public func text(png: [UInt8]) -> String {
    let coded = Base64.text(png)
    switch self {
    case .inline:
      return "\u{1B}]1337;File=inline=1;size=\(png.count):\(coded)\u{07}\n"
    case .kitty:
      var text = ""
      var rest = coded.utf8[...]
      var keys = "a=T,f=100,"
      while !rest.isEmpty {
        let part = rest.prefix(4096)
        rest = rest.dropFirst(4096)
        text += "\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);\(String(Substring(part)))\u{1B}\\"
        keys = ""
      }
      return text + "\n"
    }
  }
}

/// Bytes as text.
enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
