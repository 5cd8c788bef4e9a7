/** A constructed style sheet: allowed where a policy forbids style elements and attributes. */
export const sheetOf = text => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
};
// In a row, what inherits a background is paid by every element of it (decision 0065): only the one under the pointer does.
export const styles = `
:host {
  --accent: var(--belfry-accent, light-dark(#3451c6, #9db1ff));
  --bg: var(--belfry-bg, light-dark(#fff, #1d1f25));
  --fg: var(--belfry-fg, light-dark(#1b1d23, #eceef2));
  --muted: var(--belfry-muted, light-dark(#5a616d, #a7aebb));
  --border: var(--belfry-border, light-dark(#e5e7ec, #343841));
  --hover: color-mix(in srgb, var(--fg) 5%, var(--bg));
  --max: var(--belfry-max-height, 36rem);
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
svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
.button, .tool, .item-icon { display: grid; place-items: center; flex: none; width: 38px; height: 38px; border-radius: 50% }
.button { position: relative; anchor-name: --bell }
.button:hover { background: color-mix(in srgb, currentColor 13%, transparent) }
.badge { position: absolute; top: 0; inset-inline-start: 53%; min-width: 18px; padding: 0 5px; border-radius: 9px; font: 600 11px/18px system-ui, sans-serif; text-align: center; direction: ltr; background: var(--belfry-badge-bg, light-dark(#d02b1f, #ff8177)); color: var(--belfry-badge-fg, light-dark(#fff, #2b0704)) }
.status { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
.panel { flex-direction: column; overflow: hidden; padding: 0; width: 100%; max-height: var(--max); color: var(--fg); background: var(--bg); border: 1px solid var(--border); border-radius: var(--belfry-radius, 14px); outline: 0 }
.panel:not([popover]), .panel:popover-open { display: flex }
.panel[popover] { inset: auto; margin: 8px 0; width: min(var(--belfry-width, 25rem), 100vw - 16px); max-height: min(var(--max), 100dvh - 16px); box-shadow: 0 4px 32px #0003; position-anchor: --bell; position-area: self-block-end span-self-inline-start; position-try-fallbacks: flip-inline, flip-block, flip-block flip-inline }
:host([placement=bottom-start]) .panel { position-area: self-block-end span-self-inline-end }
:host([placement=top-end]) .panel { position-area: self-block-start span-self-inline-start }
:host([placement=top-start]) .panel { position-area: self-block-start span-self-inline-end }
.view, .frame { position: relative; display: flex; flex-direction: column; min-height: 0; flex: 1 }
.header, .bar, .banner, .toast { display: flex; align-items: center; gap: 8px; padding: 10px 16px }
.title { flex: 1; font-size: 17px; font-weight: 600 }
.tool { width: 32px; height: 32px; border-radius: 8px; color: var(--muted) }
.tool:hover, .link:hover { background: var(--hover) }
.link { padding: 5px 8px; white-space: nowrap; color: var(--accent); font-weight: 600 }
.bar { padding: 0 10px; border-bottom: 1px solid var(--border) }
.strip { position: relative; display: flex; flex: 1; min-width: 0 }
.tabs { display: flex; flex: 1; overflow-x: auto; scrollbar-width: none; scroll-padding-inline: 30px }
.tabs-earlier, .tabs-later { position: absolute; inset-block: 0 1px; width: 24px; height: auto; border-radius: 0; background: var(--bg) !important; box-shadow: 0 0 4px 4px var(--bg); clip-path: inset(0 -8px) }
.tabs-later { inset-inline-end: 0 }
.tabs-later:dir(ltr) svg, .tabs-earlier:dir(rtl) svg { rotate: 180deg }
.tools .tool { height: 26px }
.tab { flex: none; max-width: calc(100% - 60px); overflow: hidden; text-overflow: ellipsis; padding: 8px; border-radius: 8px 8px 0 0; color: var(--muted); white-space: nowrap; border-bottom: 2px solid transparent }
.tab-selected { color: var(--fg); font-weight: 600; border-color: var(--accent) }
.count { margin-inline-start: 6px; padding: 1px 6px; border-radius: 9px; background: var(--hover) }
.banner { padding-block: 6px; background: light-dark(#fff6e0, #38301b) }
.banner span { flex: 1 }
.scroller { overflow-y: auto; overflow-anchor: none; overscroll-behavior: contain; scrollbar-width: thin; min-height: 7rem }
[role=feed] { position: relative }
.item { position: absolute; inset: 0 0 auto; display: flex; gap: 12px; padding: 12px 16px; border-bottom: 1px solid var(--border); cursor: pointer; contain: layout paint style; overflow-wrap: anywhere; background: var(--bg) }
.item:hover { background: var(--hover) }
.item-unread { background: color-mix(in srgb, var(--accent) 5%, var(--bg)) }
.item-icon { position: relative; color: var(--kind, var(--accent)); background: color-mix(in srgb, currentColor 13%, transparent) }
.words { flex: 1; min-width: 0; color: var(--muted) }
.item-title, .item-body, li { overflow: hidden; unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent }
.item-title, .item-body { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
.item-title { padding-inline-end: 20px }
.item-unread .item-title { color: var(--fg); font-weight: 600 }
.item-avatar { position: absolute; inset: 0; width: 100%; height: 100%; border-radius: 50%; object-fit: cover }
.item-avatar.loaded { background: var(--bg) }
.item-image { display: block; width: 100%; max-width: 20rem; aspect-ratio: 2; margin-block: 8px 4px; border-radius: 8px; object-fit: cover; background: var(--hover) }
.item-count { position: absolute; bottom: -5px; inset-inline-end: -7px; min-width: 18px; padding: 0 5px; border-radius: 9px; font: 600 11px/18px system-ui, sans-serif; text-align: center; direction: ltr; background: var(--fg); color: var(--bg); box-shadow: 0 0 0 2px var(--bg) }
ul { margin: 4px 0; padding: 0; padding-inline-start: 10px; list-style: none; border-inline-start: 2px solid var(--border) }
.item-content > p { margin: 0 }
.item-unread .item-content { color: var(--fg) }
li { text-overflow: ellipsis; white-space: nowrap }
a { color: inherit; text-decoration: none }
.meta { font-size: 12px; margin-top: 2px }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px }
.action { padding: 4px 11px; border: 1px solid var(--border); background: var(--bg); color: var(--fg); font-weight: 600 }
.action:hover { border-color: var(--muted) }
.dot { position: absolute; top: 27px; inset-inline-start: 4px; width: 8px; height: 8px; border-radius: 50%; background: var(--accent) }
.tools { position: absolute; top: 9px; inset-inline-end: 6px; display: flex; border-radius: 8px; opacity: 0 }
.item:is(:hover, :focus-within) .tools { opacity: 1; background: inherit }
.notice { display: flex; flex-direction: column; align-items: center; gap: 4px; padding: 20px 24px; text-align: center; color: var(--muted) }
.large { padding-block: 44px }
.notice > svg { width: 40px; height: 40px }
@media (hover: none) { .tools { opacity: 1; background: inherit } .item-title { padding-inline-end: 56px } }
@media (prefers-reduced-motion: no-preference) { .tabs { scroll-behavior: smooth } }
@media (max-width: 480px) { .panel[popover] { position-area: none; inset: auto 0 0; margin: 0; width: 100%; max-height: 86dvh } }
@media (min-width: 481px) { .close { display: none } }
`;
