/** A constructed style sheet: allowed where a policy forbids style elements and attributes. */
export const sheetOf = text => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
};

export const styles = `
:host {
  --accent: var(--belfry-accent, light-dark(#3451c6, #9db1ff));
  --bg: var(--belfry-bg, light-dark(#fff, #1d1f25));
  --fg: var(--belfry-fg, light-dark(#1b1d23, #eceef2));
  --muted: var(--belfry-muted, light-dark(#5a616d, #a7aebb));
  --border: var(--belfry-border, light-dark(#e5e7ec, #343841));
  --hover: color-mix(in srgb, var(--fg) 5%, var(--bg));
  --max: var(--belfry-max-height, 36rem);
  --radius: var(--belfry-radius, 14px);
  color-scheme: light dark;
  display: inline-block;
  font: var(--belfry-font, 400 14px/1.45 system-ui, sans-serif);
}
:host([theme=light]) { color-scheme: light }
:host([theme=dark]) { color-scheme: dark }
:host([theme=inherit]) { color-scheme: inherit }
:host([layout=inline]) { display: block }
:host([hidden]), [hidden] { display: none !important }
* { box-sizing: border-box }
button, select { font: inherit; color: inherit; background: none; border: 0; margin: 0; padding: 0; cursor: pointer; border-radius: 8px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px }
svg { display: block; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
.button, .tool, .look { display: grid; place-items: center; flex: none; inline-size: 38px; block-size: 38px; border-radius: 50% }
.button { position: relative; anchor-name: --bell }
.button:hover { background: color-mix(in srgb, currentColor 8%, transparent) }
.badge { position: absolute; inset-block-start: 0; inset-inline-start: 53%; min-inline-size: 18px; padding: 0 5px; border-radius: 9px; font: 600 11px/18px system-ui, sans-serif; text-align: center; direction: ltr; background: var(--belfry-badge-bg, light-dark(#d02b1f, #ff8177)); color: var(--belfry-badge-fg, light-dark(#fff, #2b0704)) }
.status { position: absolute; clip-path: inset(50%); inline-size: 1px; block-size: 1px; overflow: hidden }
.panel { flex-direction: column; overflow: hidden; padding: 0; inline-size: 100%; max-block-size: var(--max); color: var(--fg); background: var(--bg); border: 1px solid var(--border); border-radius: var(--radius); outline: 0 }
.panel:not([popover]), .panel:popover-open { display: flex }
.panel[popover] { inset: auto; margin: 8px 0; inline-size: min(var(--belfry-width, 25rem), 100vw - 16px); max-block-size: min(var(--max), 100dvh - 16px); box-shadow: 0 12px 40px -8px #0004; position-anchor: --bell; position-area: self-block-end span-self-inline-start; position-try-fallbacks: flip-inline, flip-block, flip-block flip-inline }
:host([placement=bottom-start]) .panel { position-area: self-block-end span-self-inline-end }
:host([placement=top-end]) .panel { position-area: self-block-start span-self-inline-start }
:host([placement=top-start]) .panel { position-area: self-block-start span-self-inline-end }
.view, .frame { position: relative; display: flex; flex-direction: column; min-block-size: 0; flex: 1 }
.head, .bar, .banner, .toast { display: flex; align-items: center; gap: 8px; padding: 10px 16px }
.title { flex: 1; font-size: 17px; font-weight: 600 }
.tool { inline-size: 32px; block-size: 32px; border-radius: 8px; color: var(--muted) }
.tool:hover, .link:hover { background: var(--hover) }
.link { padding: 5px 8px; color: var(--accent); font-weight: 600 }
.bar { padding: 0 10px; border-block-end: 1px solid var(--border) }
.tabs { display: flex; flex: 1; overflow-x: auto; scrollbar-width: none }
.tab { padding: 8px; border-radius: 8px 8px 0 0; color: var(--muted); white-space: nowrap; border-block-end: 2px solid transparent }
.tab[aria-selected=true] { color: var(--fg); font-weight: 600; border-color: var(--accent) }
.count { margin-inline-start: 6px; padding: 1px 6px; border-radius: 9px; font-size: 12px; font-weight: 400; background: color-mix(in srgb, var(--accent) 14%, var(--bg)) }
.banner { padding-block: 6px; font-size: 13px; background: light-dark(#fff6e0, #38301b) }
.banner span { flex: 1 }
.scroller { overflow-y: auto; overflow-anchor: none; overscroll-behavior: contain; scrollbar-width: thin; min-block-size: 7rem }
.feed { position: relative }
[role=article] { position: absolute; inset: 0 0 auto; display: flex; gap: 12px; padding: 12px 16px; border-block-end: 1px solid var(--border); cursor: pointer; contain: layout paint style; overflow-wrap: anywhere; background: var(--bg) }
[role=article]:hover { background: var(--hover) }
.unread { background: color-mix(in srgb, var(--accent) 5%, var(--bg)) }
.look { color: var(--kind, var(--accent)); background: color-mix(in srgb, currentColor 13%, transparent) }
.words { flex: 1; min-inline-size: 0; color: var(--muted) }
.name, .body { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; text-align: match-parent }
.name { padding-inline-end: 20px }
.unread .name { color: var(--fg); font-weight: 600 }
a { color: inherit; text-decoration: none }
.meta { font-size: 12px; margin-block-start: 2px }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 8px }
.action { padding: 4px 11px; border: 1px solid var(--border); background: var(--bg); color: var(--fg); font-weight: 600; font-size: 13px }
.action:hover { border-color: var(--muted) }
.dot { position: absolute; inset-block-start: 27px; inset-inline-start: 4px; inline-size: 8px; block-size: 8px; border-radius: 50%; background: var(--accent) }
.tools { position: absolute; inset-block-start: 6px; inset-inline-end: 6px; display: flex; border-radius: 8px; background: inherit; opacity: 0 }
[role=article]:is(:hover, :focus-within) .tools { opacity: 1 }
.notice { display: flex; flex-direction: column; align-items: center; gap: 4px; padding: 20px 24px; text-align: center; color: var(--muted) }
.large { padding-block: 44px }
.notice > svg { inline-size: 40px; block-size: 40px; stroke-width: 1.25; opacity: .6 }
.bone { block-size: 62px; margin-block: 8px; inline-size: 100%; border-radius: 10px; background: var(--hover) }
.pill, .toast { position: absolute; z-index: 1; inset-inline: 0; margin-inline: auto; inline-size: fit-content; display: flex; border-radius: 16px; box-shadow: 0 4px 16px #0003 }
.pill { inset-block-start: 10px; padding: 4px 14px 4px 10px; background: var(--accent); color: var(--bg); font-weight: 600; font-size: 13px }
.pill:focus-visible { outline-color: var(--fg) }
.toast { inset-block-end: 12px; max-inline-size: calc(100% - 24px); padding: 6px 14px; background: var(--fg); color: var(--bg) }
.toast .link { color: inherit; background: none; text-decoration: underline }
@media (hover: none) { .tools { opacity: 1 } .removal { display: none } }
@media (max-width: 480px) { .panel[popover] { position-area: none; inset: auto 0 0; margin: 0; inline-size: 100%; max-block-size: 86dvh; border-end-start-radius: 0; border-end-end-radius: 0 } }
@media (min-width: 481px) { .shut { display: none } }
`;
