// The bad presets of the diagnostics tests: one defect each.
// SPDX-License-Identifier: Apache-2.0

private let head = "auricle: 1\nname: x\n"
private let body = "units: [{unit: u}]\n"

/// One defect each, with the exact text of the report.
let badPresets: [BadPreset] = [
  BadPreset("nothing", "", "p.yaml:1:1: error: the preset is empty"),
  BadPreset(
    "only a comment", "# hello\n",
    """
    p.yaml:1:1: error: the preset is empty
    # hello
    ^
    """),
  BadPreset(
    "a list", "- a\n",
    """
    p.yaml:1:1: error: a preset is a mapping that starts with 'auricle: 1', not a list
    - a
    ^
    """),
  BadPreset(
    "no version", "name: x\n" + body,
    """
    p.yaml:1:1: error: the first key must be 'auricle: 1', the version of the format
    name: x
    ^
    """),
  BadPreset(
    "version not first", "name: x\nauricle: 1\n" + body,
    """
    p.yaml:2:1: error: 'auricle: 1' must be the first key
    auricle: 1
    ^
    """),
  BadPreset(
    "newer version", "auricle: 2\nfoo: x\n",
    """
    p.yaml:1:10: error: format version 2 is newer than this program reads, which is 1
    auricle: 2
             ^
    """),
  BadPreset(
    "version 0", "auricle: 0\n",
    """
    p.yaml:1:10: error: there is no format version 0; write 'auricle: 1'
    auricle: 0
             ^
    """),
  BadPreset(
    "quoted version", "auricle: \"1\"\nname: x\n" + body,
    """
    p.yaml:1:10: error: 'auricle' is the version of the format and must be 1
    auricle: "1"
             ^
    """),
  BadPreset(
    "no name, no units", "auricle: 1\n",
    """
    p.yaml:1:1: error: the preset has no key 'name'
    auricle: 1
    ^
    p.yaml:1:1: error: the preset has no 'units', no 'output' and no 'render': it asks for nothing
    auricle: 1
    ^
    """),
  BadPreset(
    "unknown key", head + "unit: x\n" + body,
    """
    p.yaml:3:1: error: unknown key 'unit' in a preset; did you mean 'units'?
    unit: x
    ^
    """),
  BadPreset(
    "unknown key, nothing near", head + "quark: x\n" + body,
    """
    p.yaml:3:1: error: unknown key 'quark' in a preset; the keys of a preset are auricle, name, \
    description, author, license, version, tags, input, units, instruments, bus, midi, isolate, output and render
    quark: x
    ^
    """),
  BadPreset(
    "version of the sound", head + "version: 1.5\n" + body,
    """
    p.yaml:3:10: error: 'version' is a whole number from 1, not '1.5'
    version: 1.5
             ^
    """),
  BadPreset(
    "unknown key of a unit", head + "units:\n  - {unit: u, parametres: {}}\n",
    """
    p.yaml:4:15: error: unknown key 'parametres' in an entry of 'units'; did you mean 'parameters'?
      - {unit: u, parametres: {}}
                  ^
    """),
  BadPreset(
    "key twice", head + body + "name: y\n",
    """
    p.yaml:4:1: error: the key 'name' is given twice; the first is at line 2
    name: y
    ^
    """),
  BadPreset(
    "parameter twice", head + "units:\n  - unit: u\n    parameters: {\"a\": 1, a: 2}\n",
    """
    p.yaml:5:26: error: the key 'a' is given twice; the first is in this line
        parameters: {"a": 1, a: 2}
                             ^
    """),
  BadPreset(
    "anchor", head + "tags: &a [x]\n" + body,
    """
    p.yaml:3:7: error: anchors (&) are not allowed in a preset; if it is text, put it in quotes
    tags: &a [x]
          ^
    """),
  BadPreset(
    "alias and tag", head + "tags: [*a, !!str b]\n" + body,
    """
    p.yaml:3:8: error: aliases (*) are not allowed in a preset; if it is text, put it in quotes
    tags: [*a, !!str b]
           ^
    p.yaml:3:12: error: tags (!) are not allowed in a preset; if it is text, put it in quotes
    tags: [*a, !!str b]
               ^
    """),
  BadPreset(
    "merge key", head + body + "<<: {tags: [a]}\n",
    """
    p.yaml:4:1: error: merge keys (<<) are not allowed in a preset
    <<: {tags: [a]}
    ^
    """),
  BadPreset(
    "explicit key", head + body + "? tags\n: [a]\n",
    """
    p.yaml:4:1: error: keys written with '?' are not allowed in a preset; if it is text, put it in \
    quotes
    ? tags
    ^
    """),
  BadPreset(
    "list as a key", head + body + "[a]: b\n",
    """
    p.yaml:4:1: error: a key must be text, not a list
    [a]: b
    ^
    """),
  BadPreset(
    "two documents", head + body + "---\na: b\n",
    """
    p.yaml:4:1: error: a preset is one document, without '---'
    ---
    ^
    """),
  BadPreset(
    "tab", "auricle: 1\nname:\n\t- c\n",
    """
    p.yaml:3:1: error: a tab cannot indent a line; use spaces
    \t- c
    ^
    """),
  BadPreset(
    "colon in text", "auricle: 1\nname: a: b\n" + body,
    """
    p.yaml:2:8: error: a ':' is not allowed here; put a text that contains ': ' in quotes, and indent \
    keys alike
    name: a: b
           ^
    """),
  BadPreset(
    "text that starts with @", "auricle: 1\nname: @c\n" + body,
    """
    p.yaml:2:7: error: a text cannot start with '@'; put it in quotes
    name: @c
          ^
    """),
  BadPreset(
    "open quote", "auricle: 1\nname: \"c\n" + body,
    """
    p.yaml:2:7: error: this quote is never closed
    name: "c
          ^
    """),
  BadPreset(
    "open bracket", head + "tags: [a, b\n",
    """
    p.yaml:3:7: error: this bracket is never closed
    tags: [a, b
          ^
    """),
  BadPreset(
    "wrong bracket", head + "tags: [a, b}\n" + body,
    """
    p.yaml:3:12: error: did not find expected ',' or ']' while parsing a flow sequence
    tags: [a, b}
               ^
    """),
  BadPreset(
    "NUL", "auricle: 1\nname: a\0b\n",
    """
    p.yaml:2:8: error: the character U+0000 is not allowed in a preset
    name: a\u{FFFD}b
           ^
    """),
  BadPreset(
    "escape character", "auricle: 1\nname: \u{1B}[31m\n",
    """
    p.yaml:2:7: error: the character U+001B is not allowed in a preset
    name: \u{FFFD}[31m
          ^
    """),
  BadPreset(
    "name is a list", "auricle: 1\nname: [a]\n" + body,
    """
    p.yaml:2:7: error: 'name' must be text, not a list
    name: [a]
          ^
    """),
  BadPreset(
    "name is a number", "auricle: 1\nname: 1984\n" + body,
    """
    p.yaml:2:7: error: 'name' must be text; '1984' is read as a number: put it in quotes
    name: 1984
          ^
    """),
  BadPreset(
    "name is a boolean elsewhere", "auricle: 1\nname: Off\n" + body,
    """
    p.yaml:2:7: error: 'name' must be text; 'Off' is read as a boolean: put it in quotes
    name: Off
          ^
    """),
  BadPreset(
    "name has no value", "auricle: 1\nname:\n" + body,
    """
    p.yaml:2:6: error: 'name' has no value
    name:
         ^
    """),
  BadPreset(
    "name of two lines", "auricle: 1\nname: \"a\\nb\"\n" + body,
    """
    p.yaml:2:7: error: 'name' must be one line
    name: "a\\nb"
          ^
    """),
  BadPreset(
    "empty name", "auricle: 1\nname: \"\"\n" + body,
    """
    p.yaml:2:7: error: 'name' is empty
    name: ""
          ^
    """),
  BadPreset(
    "units is a mapping", head + "units: {unit: u}\n",
    """
    p.yaml:3:8: error: 'units' must be a list, each entry '- unit: NAME', not a mapping
    units: {unit: u}
           ^
    """),
  BadPreset(
    "entry is text", head + "units: [aufx:lmtr:appl]\n",
    """
    p.yaml:3:9: error: an entry of 'units' is written '- unit: NAME', not as text
    units: [aufx:lmtr:appl]
            ^
    """),
  BadPreset(
    "entry without unit", head + "units: [{mix: 1}]\n",
    """
    p.yaml:3:9: error: the entry has no key 'unit'
    units: [{mix: 1}]
            ^
    """),
  BadPreset(
    "yes", head + "units: [{unit: u, bypass: yes}]\n",
    """
    p.yaml:3:27: error: 'bypass' is either true or false, written so, not 'yes'
    units: [{unit: u, bypass: yes}]
                              ^
    """),
  BadPreset(
    "bypass is a number", head + "units: [{unit: u, bypass: 1}]\n",
    """
    p.yaml:3:27: error: 'bypass' must be true or false, not a number
    units: [{unit: u, bypass: 1}]
                              ^
    """),
  BadPreset(
    "mix above 1", head + "units: [{unit: u, mix: 80}]\n",
    """
    p.yaml:3:24: error: 'mix' is a part from 0 to 1 or from 0 % to 100 %; 80 is outside; did you mean \
    '80 %'?
    units: [{unit: u, mix: 80}]
                           ^
    """),
  BadPreset(
    "mix in dB", head + "units: [{unit: u, mix: -3 dB}]\n",
    """
    p.yaml:3:24: error: 'mix' is a part from 0 to 1 or from 0 % to 100 %, not '-3 dB'
    units: [{unit: u, mix: -3 dB}]
                           ^
    """),
  BadPreset(
    "parameters is a list", head + "units: [{unit: u, parameters: [a]}]\n",
    """
    p.yaml:3:31: error: 'parameters' must be a mapping such as {threshold: -20 dB}, not a list
    units: [{unit: u, parameters: [a]}]
                                  ^
    """),
  BadPreset(
    "parameter is a list", head + "units: [{unit: u, parameters: {a: [1]}}]\n",
    """
    p.yaml:3:35: error: 'a' takes one value, not a list
    units: [{unit: u, parameters: {a: [1]}}]
                                      ^
    """),
  BadPreset(
    "name is read as nothing", "auricle: 1\nname: Null\n" + body,
    """
    p.yaml:2:7: error: 'name' has no value; 'Null' is read as none: put it in quotes
    name: Null
          ^
    """),
  BadPreset(
    "parameter has no value", head + "units: [{unit: u, parameters: {a: null}}]\n",
    """
    p.yaml:3:35: error: 'a' has no value; 'null' is read as none: put it in quotes
    units: [{unit: u, parameters: {a: null}}]
                                      ^
    """),
  BadPreset(
    "output is text", head + body + "output: wav\n",
    """
    p.yaml:4:9: error: 'output' must be a mapping such as {tail: auto, latency: compensate}, not text
    output: wav
            ^
    """),
  BadPreset(
    "unknown tail", head + body + "output: {tail: autoo}\n",
    """
    p.yaml:4:16: error: 'tail' is auto, none, keep-length or a time such as 2.5 s; did you mean 'auto'?
    output: {tail: autoo}
                   ^
    """),
  BadPreset(
    "tail in Hz", head + body + "output: {tail: 3 Hz}\n",
    """
    p.yaml:4:16: error: 'tail' is auto, none, keep-length or a time such as 2.5 s, not '3 Hz'
    output: {tail: 3 Hz}
                   ^
    """),
  BadPreset(
    "endless tail", head + body + "output: {tail: 2 h}\n",
    """
    p.yaml:4:16: error: 'tail' is auto, none, keep-length or a time such as 2.5 s, not '2 h'
    output: {tail: 2 h}
                   ^
    """),
  BadPreset(
    "long tail", head + body + "output: {tail: 1500 min}\n",
    """
    p.yaml:4:16: error: 'tail' lies between 0 s and 86400 s; 1500 min is outside
    output: {tail: 1500 min}
                   ^
    """),
  BadPreset(
    "unknown latency", head + body + "output: {latency: compensated}\n",
    """
    p.yaml:4:19: error: 'latency' is compensate or keep, not 'compensated'; did you mean 'compensate'?
    output: {latency: compensated}
                      ^
    """),
  BadPreset(
    "sample rate in s", head + body + "output: {sample rate: 3 s}\n",
    """
    p.yaml:4:23: error: 'sample rate' is same, or a rate such as 48000 or 44.1 kHz, not '3 s'
    output: {sample rate: 3 s}
                          ^
    """),
  BadPreset(
    "sample rate too low", head + body + "output: {sample rate: 44.1}\n",
    """
    p.yaml:4:23: error: 'sample rate' lies between 1 kHz and 768 kHz; 44.1 is outside
    output: {sample rate: 44.1}
                          ^
    """),
  BadPreset(
    "key of output with an underscore", head + body + "output: {sample_rate: same}\n",
    """
    p.yaml:4:10: error: unknown key 'sample_rate' in 'output'; did you mean 'sample rate'?
    output: {sample_rate: same}
             ^
    """),
]
