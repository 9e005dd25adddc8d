// The scripts by which shells complete commands: those of the argument parser, and additions for bash.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser

/// Completion scripts.
package enum CompletionScript {
  /// The script that the words of a command line ask for; nil for other words, and where the parser's own
  /// script is all there is to it. Context: control.
  ///
  /// - Parameter command: The whole program.
  package static func wanted(
    _ words: [String], of command: (some ParsableCommand).Type
  ) -> String? {
    guard isWanted(by: words) else { return nil }
    let option = "--generate-completion-script"
    let topics = topics(of: command)
    if words == [option, "fish"] || words == [option + "=fish"] {
      let lines = topics.map { topic, names in
        let words = (["help"] + topic).joined(separator: " ")
        let isReached =
          #"string match -qr "^\S+ \#(words)\$" -- "$(commandline -opc | string join " ")""#
        return "complete -c auricle -n '\(isReached)' -fa '\(names)'\n"
      }
      return command.completionScript(for: .fish) + "\n" + lines.joined()
    }
    if words == [option, "zsh"] || words == [option + "=zsh"] {
      return command.completionScript(for: .zsh)
        .replacing("'*:subcommands:'", with: zshTopics(topics))
        .replacing(#"__auricle_complete "${completions[@]:0:-1}""#, with: zshOffers)
    }
    guard words == [option, "bash"] || words == [option + "=bash"] else { return nil }
    let cases = topics.map { topic, names in
      "    '\((["help"] + topic).joined(separator: " "))') topics='\(names)' ;;"
    }
    return command.completionScript(for: .bash)
      + bashWords.replacing("TOPICS_OF_HELP", with: cases.joined(separator: "\n"))
  }

  /// The commands, and those below each of them.
  private static func topics(
    of command: any ParsableCommand.Type, at path: [String] = []
  ) -> [(topic: [String], names: String)] {
    let shown = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let names = shown.compactMap { $0.configuration.commandName }
    guard !names.isEmpty else { return [] }
    return [(path, names.joined(separator: " "))]
      + shown.flatMap {
        topics(of: $0, at: path + [$0.configuration.commandName].compactMap(\.self))
      }
  }

  /// The arguments of `help` in zsh: a command, then one of those below it.
  private static func zshTopics(_ topics: [(topic: [String], names: String)]) -> String {
    let below = topics.dropFirst().map {
      "\($0.topic.joined(separator: " "))) compadd \($0.names);;"
    }
    return "'1:subcommands:(\(topics[0].names))' "
      + "'2:subcommands:{case ${words[2]} in \(below.joined(separator: " ")) esac}'"
  }

  /// Whether the words of a command line ask for a completion script, or for a description of all options.
  /// Context: any.
  package static func isWanted(by words: [String]) -> Bool {
    words.contains {
      $0.hasPrefix("--generate-completion-script") || $0 == "--experimental-dump-help"
    }
  }

  /// The offers of the program in zsh: no blank follows a folder, or the `=` behind a name, where its value comes.
  private static let zshOffers = #"""
    local -a offers=("${completions[@]:0:-1}")
            local -a begun=("${(@M)offers:#*[=/]}") whole=("${(@)offers:#*[=/]}")
            [[ "${#begun[@]}" -eq 0 ]] || compadd -S '' -- "${(@)begun//\\:/:}"
            [[ "${#whole[@]}" -eq 0 ]] || __auricle_complete "${whole[@]}"
    """#

  /// To bash, a word ends at ':' and '=': here words are joined before they are completed, and candidates lose
  /// the part that bash keeps.
  private static let bashWords = #"""

    __auricle_whole_words() {
        local -a parts=("${COMP_WORDS[@]}") words=()
        local -i index current=0
        local rest="${COMP_LINE}" space
        for index in "${!parts[@]}"; do
            space="${rest%%[![:space:]]*}"
            rest="${rest#"${space}"}"
            if [[ -n "${space}" || "${#words[@]}" -eq 0 ]]; then
                words+=("${parts[index]}")
            else
                words[${#words[@]}-1]+="${parts[index]}"
            fi
            rest="${rest#"${parts[index]}"}"
            [[ "${index}" -eq "${COMP_CWORD}" ]] && current=$((${#words[@]} - 1))
        done
        COMP_WORDS=("${words[@]}")
        COMP_CWORD="${current}"
        local raw="${words[current]}" whole
        case "${raw}" in
        [\"\']*) whole="${raw:1}" ;;
        *) whole="${raw//\\/}" ;;
        esac
        local topics=
        case "${words[*]:1:current-1}" in
    TOPICS_OF_HELP
        esac
        if [[ "${words[1]}" == help ]]; then
            COMPREPLY=($(compgen -W "${topics}" -- "${whole}"))
            return
        fi
        _auricle "${1}" "${whole}" "${words[current - 1]}"
        local kept="${whole%"${whole##*[:=]}"}"
        # Within quotes a word is whole to bash, too.
        [[ "${raw}" != [\"\']* ]] || kept=
        [[ -z "${kept}" ]] || COMPREPLY=("${COMPREPLY[@]#"${kept}"}")
        case "${words[1]} ${words[current - 1]}" in
        "info "* | "scan "* | *" --unit" | *" --set" | *" --unit-preset")
            # No names of files: only what parts words for the shell is quoted.
            compopt +o filenames
            if [[ "${raw}" != [\"\']* ]]; then
                for index in "${!COMPREPLY[@]}"; do
                    printf -v "COMPREPLY[${index}]" %q "${COMPREPLY[index]}"
                done
            fi
            ;;
        # The shell adds the slash behind the name of a folder.
        *) COMPREPLY=("${COMPREPLY[@]%/}") ;;
        esac
        # Behind a name comes its value.
        [[ "${#COMPREPLY[@]}" -ne 1 || "${COMPREPLY[0]}" != *= ]] || compopt -o nospace
    }
    complete -o filenames -F __auricle_whole_words auricle

    """#
}
