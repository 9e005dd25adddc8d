// How a report's page looks: on light and dark screens, narrow ones, and on paper.
// SPDX-License-Identifier: Apache-2.0

/// The style sheet of reports.
enum HTMLStyle {
  static let text = """

    :root { color-scheme: light dark; --ink: #1c2024; --soft: #5b646e; --line: #d9dee3;
      --paper: #fff; --shade: #f4f6f8; --good: #1a7f4b; --bad: #b3261e; --warn: #8a5a00;
      --link: #1f5fa8; --focus: #1f5fa8; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa4ae; --line: #343b42;
      --paper: #15181b; --shade: #1d2125; --good: #5fc48d; --bad: #ff8a80; --warn: #e0b050;
      --link: #8ab8f0; --focus: #8ab8f0; } }
    * { box-sizing: border-box; }
    body { margin: 0; padding: 1.5rem; font: 15px/1.45 system-ui, sans-serif; color: var(--ink);
      background: var(--paper); }
    header p { margin: .2rem 0 0; color: var(--soft); overflow-wrap: anywhere; }
    h1 { font-size: 1.6rem; margin: 0; line-height: 1.2; }
    h2 { font-size: 1.1rem; margin: 1.8rem 0 .5rem; }
    .skip { position: absolute; left: -99rem; }
    .skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .3rem .6rem; }
    .quiet { color: var(--soft); }
    .bad { color: var(--bad); }
    .tiles { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1.2rem 0 0; }
    .tile { display: flex; flex-direction: column-reverse; padding: .6rem 1rem; min-width: 7rem;
      border: 1px solid var(--line); border-radius: 6px; background: var(--shade); }
    .tile dt { color: var(--soft); font-size: .85rem; }
    .tile dd { margin: 0; font-size: 1.45rem; font-variant-numeric: tabular-nums; }
    .tile.done dd { color: var(--good); }
    .tile.failed dd, .tile.quarantined dd { color: var(--bad); }
    .tile.skipped dd, .tile.pending dd { color: var(--warn); }
    table { border-collapse: collapse; }
    th { text-align: left; font-weight: 600; }
    .plain th { padding: .15rem 1rem .15rem 0; font-weight: 400; color: var(--soft);
      vertical-align: top; white-space: nowrap; }
    .plain td { padding: .15rem 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
    .reasons th, .reasons td { padding: .2rem .8rem .2rem 0; vertical-align: middle; }
    .reasons rect { fill: var(--bad); opacity: .75; }
    .reasons .bar { width: 128px; }
    .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .reasons .n { padding-right: .8rem; }
    button { font: inherit; color: var(--link); background: none; border: 1px solid var(--line);
      border-radius: 4px; padding: .2rem .7rem; cursor: pointer; }
    button:disabled { color: var(--soft); cursor: default; opacity: .6; }
    td.reason { overflow-wrap: anywhere; }
    button.reason { border: 0; padding: 0; text-align: left; overflow-wrap: anywhere; }
    button.reason:hover { text-decoration: underline; }
    :focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
    input, select { font: inherit; color: inherit; background: var(--paper);
      border: 1px solid var(--line); border-radius: 4px; padding: .25rem .5rem; }
    input[type=search] { width: 18rem; max-width: 60vw; }
    .about { margin-top: 1.4rem; }
    summary { cursor: pointer; color: var(--link); }
    .tools { display: flex; flex-wrap: wrap; gap: .5rem .9rem; align-items: center;
      margin: .6rem 0; }
    .tools[hidden], .scroll[hidden] { display: none; }
    #paper { display: none; }
    .grow { flex: 1; }
    .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
    @media (min-width: 80rem) { .scroll { overflow: visible; } html { scroll-padding-top: 5rem; } }
    .files { width: 100%; }
    .files th, .files td { padding: .35rem .5rem; border-bottom: 1px solid var(--line);
      vertical-align: top; }
    .files tbody tr:last-child > * { border-bottom: 0; }
    .files thead { position: sticky; top: 0; background: var(--shade); }
    .files thead th { background: var(--shade); vertical-align: bottom; white-space: nowrap; }
    .files thead .group { text-align: center; border-left: 1px solid var(--line); }
    .files thead tr:first-child th[colspan] { border-bottom-color: transparent; padding-bottom: 0; }
    .files .edge { border-left: 1px solid var(--line); }
    .files thead button { border: 0; padding: 0; color: inherit; font-weight: 600; }
    .files thead button:hover { text-decoration: underline; }
    .files thead .n { text-align: right; }
    .mark::after { content: "\\2195"; opacity: .35; padding-left: .25rem; }
    [aria-sort=ascending] .mark::after { content: "\\2191"; opacity: 1; }
    [aria-sort=descending] .mark::after { content: "\\2193"; opacity: 1; }
    .files .name { min-width: 16rem; overflow-wrap: anywhere; }
    .files tbody .name { font-weight: 400; }
    caption { text-align: left; color: var(--soft); padding: .3rem .5rem; }
    bdi { white-space: pre-wrap; }
    .static { min-width: 52rem; }
    .static thead { position: static; }
    .static thead .name { width: 60%; }
    noscript .scroll { margin-bottom: 1rem; }
    .static dl { margin-top: .3rem; }
    .files .name .quiet, .files .name .bad { display: block; font-size: .87em; }
    .files .open { border: 0; padding: 0; text-align: left; overflow-wrap: anywhere; }
    .files .open, .files .name .quiet { display: -webkit-box; -webkit-box-orient: vertical;
      -webkit-line-clamp: 3; overflow: hidden; }
    .files .open::before { content: "\\25B8\\00A0"; color: var(--soft); }
    .files .open[aria-expanded=true]::before { content: "\\25BE\\00A0"; }
    .files td:first-child { white-space: nowrap; }
    .state.done { color: var(--good); }
    .state.failed, .state.quarantined { color: var(--bad); font-weight: 600; }
    .state.skipped, .state.pending { color: var(--warn); }
    .files img { display: block; width: 120px; height: 42px; background: var(--shade);
      border-radius: 3px; }
    .files .more td { background: var(--shade); white-space: normal; }
    .more td > div { position: sticky; left: .5rem; max-width: calc(100vw - 5rem); }
    .more .pair { display: flex; flex-wrap: wrap; gap: 1rem; margin-bottom: .6rem; }
    .more figure { margin: 0; flex: 1 1 20rem; max-width: 44rem; }
    .more figcaption { color: var(--soft); font-size: .87rem; }
    .more img { width: 100%; height: auto; aspect-ratio: 20 / 7; image-rendering: pixelated;
      background: var(--paper); }
    .more dl, .static dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
    .more dt, .static dt { color: var(--soft); }
    .more dd, .static dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
    @media (max-width: 50rem) { body { padding: .8rem; } .files .name { min-width: 12rem; }
      .more td > div { max-width: calc(100vw - 3.6rem); } }
    @media print { :root { color-scheme: light; font-size: 10px; --ink: #000; --soft: #444;
        --line: #bbb; --paper: #fff; --shade: #fff; --good: #1a7f4b; --bad: #b3261e; --warn: #8a5a00;
        --link: #000; }
      body { padding: 0; font-size: 1rem; }
      .tools, .skip, noscript > p { display: none !important; }
      #paper { display: block; margin: 0 0 .4rem; }
      .scroll { overflow: visible; border: 0; } .files thead { position: static; }
      .files th, .files td { padding: .2rem .3rem; } .files .name { min-width: 13rem; }
      .static { min-width: 0; }
      .more td > div { position: static; max-width: none; }
      h2, caption, summary { break-after: avoid; }
      .files tr, .tile, figure { break-inside: avoid; }
      .files td img { width: 80px; height: 28px; print-color-adjust: exact;
        -webkit-print-color-adjust: exact; }
      .files .more img { width: 100%; height: auto; }
      .reasons rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      details::details-content { display: block; content-visibility: visible; }
      summary { list-style: none; font-weight: 600; }
      button { color: inherit; }
      .files .open, .files .name .quiet { display: block; overflow: visible; -webkit-line-clamp: none; }
      .mark::after, .files .open::before { content: none !important; } }

    """
}
