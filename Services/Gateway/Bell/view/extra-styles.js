export const extraStyles = `
.filter-box { position: relative; max-width: 9.5rem; border-radius: 8px; color: var(--muted) }
.filter-box svg { display: none }
.filter { field-sizing: content; max-width: 100%; min-height: 30px; padding-inline: 6px; text-overflow: ellipsis }
.tight .filter-box { flex: none; display: grid; place-items: center; width: 32px; height: 32px }
.tight .filter-box svg { display: block }
.tight .filter { position: absolute; inset: 0; width: 100%; opacity: 0 }
.tight .filter-box:hover { background: var(--hover) }
.tight .chosen { color: var(--accent); background: color-mix(in srgb, currentColor 13%, transparent) !important }
.filter-box:has(:focus-visible) { outline: 2px solid var(--accent) }
@media (max-width: 350px) { .header { gap: 2px; padding-inline: 12px 6px } .title { font-size: 15px } .header .link { padding-inline: 4px } }
option, optgroup { color: var(--fg); background: var(--bg) }
.green { --kind: light-dark(#1a7040, #86dca6) }
.orange { --kind: light-dark(#9a4a06, #ffbf80) }
.pink { --kind: light-dark(#a3286a, #ff9fcb) }
.purple { --kind: light-dark(#6a34b0, #cbaaff) }
.pill, .toast { position: absolute; left: 50%; translate: -50%; display: flex; border-radius: 16px; background: var(--fg); color: var(--bg); box-shadow: 0 4px 32px #0003 }
.pill { top: 10px; padding: 4px 14px 4px 10px; background: var(--accent); font-weight: 600 }
.toast { bottom: 12px; width: max-content; max-width: 90%; padding: 6px 14px }
.toast .link { color: inherit; background: none; text-decoration: underline }
.menu { position: fixed; inset: auto; margin: 0; position-anchor: --more; position-area: self-block-end span-self-inline-start; position-try-fallbacks: flip-block; padding: 5px; min-width: 12rem; border: 1px solid var(--border); border-radius: 10px; color: var(--fg); background: var(--bg); box-shadow: 0 8px 28px #0003 }
.choice { display: block; width: 100%; padding: 7px 10px; text-align: start; border-radius: 6px }
.choice:hover { background: var(--hover) }
@media (forced-colors: active) { .dot { border: 4px solid Highlight } .tab-selected, .badge, .pill, .toast, .item-count { border: 1px solid } }
.settings { font-size: 14px }
.form { overflow-y: auto; padding: 4px 16px 16px; scrollbar-width: thin; min-height: 12rem }
section { padding-block: 8px; border-bottom: 1px solid var(--border) }
section:last-child { border: 0 }
.legend { font-weight: 600; padding-block: 4px }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding-block: 6px; min-height: 40px }
.line span { flex: 1; min-width: 6rem; overflow-wrap: anywhere }
small { display: block; font-size: 12px; color: var(--muted) }
input { accent-color: var(--accent); margin: 0 }
[type=checkbox] { width: 18px; height: 18px; justify-self: center }
.switch { appearance: none; flex: none; width: 38px !important; height: 22px !important; border-radius: 11px; background: light-dark(#8b919d, #5c6270); padding: 3px; cursor: pointer }
.switch::before { content: ""; display: block; width: 16px; height: 16px; border-radius: 50%; background: #fff }
.switch:checked { background: var(--accent) }
.switch:checked::before { margin-inline-start: 16px; background: light-dark(#fff, #141824) }
.switch:focus-visible { outline-offset: 2px }
.choices { display: grid; grid-template-columns: 1fr 3.4rem 3.4rem 3.4rem; align-items: center; min-height: 34px }
.columns { min-height: 24px; font-size: 12px; color: var(--muted); text-align: center }
.fold { display: flex; align-items: center; gap: 4px; text-align: start; padding-block: 5px }
.fold svg { flex: none; width: 14px; height: 14px; rotate: 180deg; color: var(--muted) }
.fold[aria-expanded=true] svg { rotate: -90deg !important }
.flips:dir(rtl) svg { rotate: 180deg }
.fold:dir(rtl) svg { rotate: 0deg }
.type { color: var(--muted); font-size: 13px }
.type > span { padding-inline-start: 18px; overflow-wrap: anywhere }
.ends { display: flex; justify-content: space-between; padding-block: 4px }
.day { position: relative; height: 26px; --way: to right; --off: color-mix(in srgb, var(--fg) 12%, var(--bg)) }
.day:dir(rtl) { --way: to left }
.day::before { content: ""; position: absolute; inset: 9px; inset-inline: 10px; border-radius: 4px; background: linear-gradient(var(--way), var(--off) var(--from), var(--accent) var(--from) var(--to), var(--off) var(--to)) }
.night::before { background: linear-gradient(var(--way), var(--accent) var(--to), var(--off) var(--to) var(--from), var(--accent) var(--from)) }
.day input { position: absolute; inset: 0; width: 100%; appearance: none; background: none; pointer-events: none }
.day input::-webkit-slider-thumb { appearance: none; width: 20px; height: 20px; border-radius: 50%; border: 2px solid var(--accent); background: var(--bg); pointer-events: auto; cursor: grab }
.day input::-moz-range-thumb { box-sizing: border-box; width: 20px; height: 20px; border-radius: 50%; border: 2px solid var(--accent); background: var(--bg); pointer-events: auto; cursor: grab }
.hours { display: flex; justify-content: space-between; padding: 2px 6px 6px; font-size: 11px; color: var(--muted) }
.form .action:first-of-type { flex: none }
`;
