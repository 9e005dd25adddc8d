// The kinds of music that ID3 and iTunes write as numbers.
// SPDX-License-Identifier: Apache-2.0

/// The names of genres by their numbers.
package enum Genres {
  /// The names, in the order of their numbers from 0.
  package static let names: [String] = """
    Blues/Classic Rock/Country/Dance/Disco/Funk/Grunge/Hip-Hop/Jazz/Metal/New Age/Oldies/Other/Pop/R&B/Rap/\
    Reggae/Rock/Techno/Industrial/Alternative/Ska/Death Metal/Pranks/Soundtrack/Euro-Techno/Ambient/Trip-Hop/\
    Vocal/Jazz-Funk/Fusion/Trance/Classical/Instrumental/Acid/House/Game/Sound Clip/Gospel/Noise/\
    Alternative Rock/Bass/Soul/Punk/Space/Meditative/Instrumental Pop/Instrumental Rock/Ethnic/Gothic/Darkwave/\
    Techno-Industrial/Electronic/Pop-Folk/Eurodance/Dream/Southern Rock/Comedy/Cult/Gangsta/Top 40/\
    Christian Rap/Pop|Funk/Jungle/Native American/Cabaret/New Wave/Psychedelic/Rave/Showtunes/Trailer/Lo-Fi/\
    Tribal/Acid Punk/Acid Jazz/Polka/Retro/Musical/Rock & Roll/Hard Rock
    """.split(separator: "/").map { $0 == "Pop|Funk" ? "Pop/Funk" : String($0) }

  /// The name in a text that may be a number: `17`, `(17)`, `(17)Rock`.
  package static func name(_ text: String) -> String {
    if let number = Int(text) { return names.indices.contains(number) ? names[number] : text }
    guard text.first == "(", let end = text.firstIndex(of: ")"),
      let number = Int(text[text.index(after: text.startIndex)..<end])
    else { return text }
    let rest = text[text.index(after: end)...]
    guard rest.isEmpty else { return String(rest) }
    return names.indices.contains(number) ? names[number] : text
  }
}
