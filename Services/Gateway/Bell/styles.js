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
  --radius: var(--belfry-radius, 14px);
  --hover: color-mix(in srgb, var(--fg) 5%, var(--bg));
  --tint: color-mix(in srgb, var(--accent) 5%, var(--bg));
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
.button { position: relative; display: grid; place-items: center; inline-size: 40px; block-size: 40px; border-radius: 50%; anchor-name: --bell }
.button:hover { background: color-mix(in srgb, currentColor 8%, transparent) }
.button svg { inline-size: 22px; block-size: 22px }
.badge { position: absolute; inset-block-start: 1px; inset-inline-start: 53%; min-inline-size: 18px; padding: 0 5px; border-radius: 9px; font: 600 11px/18px system-ui, sans-serif; text-align: center; direction: ltr; background: var(--belfry-badge-bg, light-dark(#d02b1f, #ff8177)); color: var(--belfry-badge-fg, light-dark(#fff, #2b0704)) }
.status { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.panel { flex-direction: column; color: var(--fg); background: var(--bg); border: 1px solid var(--border); border-radius: var(--radius); padding: 0; overflow: hidden; max-block-size: var(--belfry-max-height, 36rem); inline-size: 100%; text-align: start; position: relative }
.panel:not([popover]), .panel:popover-open { display: flex }
.panel:focus { outline: none }
.panel[popover] { position: fixed; inset: auto; margin: 8px 0; inline-size: min(var(--belfry-width, 25rem), 100vw - 16px); max-block-size: min(var(--belfry-max-height, 36rem), 100dvh - 16px); box-shadow: 0 12px 40px -8px rgb(0 0 0 / .22), 0 2px 8px rgb(0 0 0 / .06); position-anchor: --bell; position-area: self-block-end span-self-inline-start; position-try-fallbacks: flip-inline, flip-block, flip-block flip-inline; transition: opacity .12s, translate .12s }
:host([placement$=start]) .panel { position-area: self-block-end span-self-inline-end }
:host([placement^=top]) .panel { position-area: self-block-start span-self-inline-start }
:host([placement=top-start]) .panel { position-area: self-block-start span-self-inline-end }
@starting-style { .panel:popover-open { opacity: 0; translate: 0 -4px } }
.view { display: flex; flex-direction: column; min-block-size: 0; flex: 1 }
.head { display: flex; align-items: center; gap: 4px; padding-block: 12px 8px; padding-inline: 16px 12px }
.title { flex: 1; font-size: 17px; font-weight: 650; letter-spacing: -.01em; min-inline-size: 0 }
.tool { display: grid; place-items: center; min-inline-size: 32px; block-size: 32px; color: var(--muted) }
.tool:hover, .link:hover { background: var(--hover); color: var(--fg) }
.link { padding: 5px 8px; color: var(--accent); font-weight: 550 }
.bar { display: flex; align-items: center; gap: 8px; padding-inline: 10px; border-block-end: 1px solid var(--border) }
.tabs { display: flex; flex: 1; overflow-x: auto; scrollbar-width: none }
.tab { padding: 8px 8px 9px; border-radius: 8px 8px 0 0; color: var(--muted); white-space: nowrap; border-block-end: 2px solid transparent }
.tab:hover { color: var(--fg) }
.tab[aria-selected=true] { color: var(--fg); font-weight: 600; border-color: var(--accent) }
.count { margin-inline-start: 6px; padding: 1px 6px; border-radius: 9px; font-size: 12px; font-weight: 500; background: color-mix(in srgb, var(--accent) 14%, var(--bg)) }
.banner, .notice { display: flex; align-items: center; gap: 8px }
.banner { padding: 6px 16px; font-size: 13px; background: light-dark(#fff6e0, #38301b); color: light-dark(#664800, #f6ddA0) }
.banner span { flex: 1 }
.banner .link { color: inherit; text-decoration: underline }
.frame { position: relative; display: flex; flex-direction: column; min-block-size: 0; flex: 1 }
.scroller { overflow-y: auto; overflow-anchor: none; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: light-dark(#c4c8d1, #4b505c) transparent; min-block-size: 7rem; flex: 1 1 auto }
.feed { position: relative; contain: layout style }
[role=article] { position: absolute; inset-block-start: 0; inset-inline: 0; display: flex; gap: 12px; min-block-size: 56px; padding: 12px 16px; border-block-end: 1px solid var(--border); cursor: pointer; contain: layout paint style; overflow-wrap: anywhere; background: var(--bg) }
[role=article]:hover { background: var(--hover) }
.unread, .unread:hover { background: var(--tint) }
.look { flex: none; display: grid; place-items: center; inline-size: 38px; block-size: 38px; border-radius: 50%; color: var(--kind, var(--accent)); background: color-mix(in srgb, currentColor 13%, transparent) }
.words { flex: 1; min-inline-size: 0 }
.name, .body { text-align: -webkit-match-parent; text-align: match-parent }
.words a { color: inherit; text-decoration: none }
.words a:hover { text-decoration: underline }
.name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; padding-inline-end: 20px; color: var(--muted) }
.unread .name { color: var(--fg); font-weight: 600 }
.body { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; color: var(--muted) }
.meta { margin-block-start: 2px; font-size: 12px; color: var(--muted) }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 8px }
.action { padding: 4px 11px; border: 1px solid var(--border); background: var(--bg); font-weight: 550; font-size: 13px }
.action:hover { border-color: var(--muted) }
.dot { position: absolute; inset-block-start: 27px; inset-inline-start: 4px; inline-size: 8px; block-size: 8px; border-radius: 50%; background: var(--accent) }
.tools { position: absolute; inset-block-start: 6px; inset-inline-end: 6px; display: flex; border-radius: 8px; background: inherit; opacity: 0 }
[role=article]:is(:hover, :focus-within, :focus) .tools { opacity: 1 }
.notice { flex-direction: column; gap: 4px; padding: 20px 24px; text-align: center; color: var(--muted) }
.notice.large { padding-block: 44px }
.notice > svg { inline-size: 40px; block-size: 40px; stroke-width: 1.25; opacity: .55; margin-block-end: 6px }
.notice b { color: var(--fg); font-weight: 550 }
.bone { block-size: 62px; margin: 12px 16px; align-self: stretch; border-radius: 10px; background: var(--hover); animation: pulse 1.4s ease-in-out infinite alternate }
@keyframes pulse { to { opacity: .45 } }
.pill, .toast { position: absolute; z-index: 1; inset-inline: 0; margin-inline: auto; inline-size: fit-content; display: flex; align-items: center; gap: 6px; box-shadow: 0 4px 16px rgb(0 0 0 / .18) }
.pill { inset-block-start: 10px; padding: 4px 14px 4px 10px; border-radius: 16px; background: var(--accent); color: light-dark(#fff, #141824); font-weight: 600; font-size: 13px }
.pill svg { inline-size: 16px; block-size: 16px }
.pill:focus-visible { outline-color: var(--fg); outline-offset: 2px }
.toast { inset-block-end: 12px; max-inline-size: calc(100% - 24px); padding-block: 6px; padding-inline: 14px 8px; border-radius: 10px; background: light-dark(#23262e, #e9ebf0); color: light-dark(#fff, #1b1d23) }
.toast .link { color: light-dark(#b4c3ff, #2d46b0) }
.toast .link:hover { background: none; text-decoration: underline }
@media (hover: none) { .tools { opacity: 1 } .removal { display: none } }
.shut { display: none }
@media (max-width: 480px) {
  .panel[popover] { position-area: none; inset: auto 0 0; margin: 0; inline-size: 100%; max-block-size: 86dvh; border-radius: var(--radius) var(--radius) 0 0; border-inline: 0; border-block-end: 0 }
  .panel[popover] .shut { display: grid }
}
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important } }
`;
