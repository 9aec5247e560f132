/** The looks of a report: light and dark, from a phone's width on, and on paper. */

/** Goes into the page as it is: nothing of a run may ever get in here. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#f6f6f3;--card:#fff;--ink:#1d1f21;--dim:#5f656b;--line:#dedfdb;--soft:#efefeb;
--good:#1b7a3d;--bad:#bb2525;--busy:#1565b5;--warn:#8f5f00;--odd:#7145a8;--calm:#6b7178;
--goodbg:#e2f3e6;--badbg:#fbe5e3;--busybg:#e1eefb;--warnbg:#fbf0d3;--oddbg:#eee6f8;--calmbg:#ecedea}
@media(prefers-color-scheme:dark){:root{--bg:#131517;--card:#1b1e21;--ink:#e4e6e8;--dim:#9aa1a9;--line:#33383d;--soft:#24282c;
--good:#62c584;--bad:#ff8a80;--busy:#74b4f5;--warn:#e3b341;--odd:#bb97ea;--calm:#8d949c;
--goodbg:#173222;--badbg:#3d1d1c;--busybg:#172c42;--warnbg:#372b10;--oddbg:#2b2140;--calmbg:#282c30}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;overflow-wrap:anywhere}
body>*{max-width:1080px;margin-inline:auto;padding-inline:16px}
header{padding-top:32px}
h1{font-size:1.65rem;line-height:1.25;margin:.2rem 0 .6rem;text-wrap:balance}
h2{font-size:1.15rem;margin:0 0 .75rem}
h3{font-size:1rem;margin:0}
h4{font-size:.8rem;margin:1rem 0 .35rem;color:var(--dim);font-weight:600;letter-spacing:.02em}
p{margin:.4rem 0}
section{margin-block:14px}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:18px 20px}
.dim,footer{color:var(--dim);font-size:.875rem}
footer{padding-block:8px 40px}
code,pre,.mono,svg.dag{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{font-size:.875em;background:var(--soft);border-radius:4px;padding:.1em .35em}
pre{font-size:.8125rem;line-height:1.45;background:var(--soft);border-radius:6px;padding:10px 12px;margin:.5rem 0;white-space:pre-wrap;max-height:28rem;overflow:auto}
td,th,dd,li,pre,code,h1,h3,summary{unicode-bidi:isolate}
a{color:var(--busy)}
.outcome{font-size:1.05rem;border-left:4px solid var(--c);background:var(--b);padding:10px 14px;border-radius:0 8px 8px 0;margin:.8rem 0}
.outcome b{color:var(--c)}
.s-achieved,.good{--c:var(--good);--b:var(--goodbg)}
.s-running,.s-verifying,.busy{--c:var(--busy);--b:var(--busybg)}
.s-parked,.s-held,.warn{--c:var(--warn);--b:var(--warnbg)}
.s-failed,.s-blocked,.bad{--c:var(--bad);--b:var(--badbg)}
.s-skipped,.odd{--c:var(--odd);--b:var(--oddbg)}
.s-ready,.s-waiting,.calm{--c:var(--calm);--b:var(--calmbg)}
.tag{display:inline-block;color:var(--c);background:var(--b);border-radius:999px;padding:.05em .6em;font-size:.8125rem;font-weight:600;white-space:nowrap}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(128px,1fr));gap:10px;margin:16px 0 4px}
.facts div{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 14px;display:flex;flex-direction:column-reverse}
.facts dt{color:var(--dim);font-size:.8125rem}
.facts dd{margin:0;font-size:1.1rem;font-weight:600;font-variant-numeric:tabular-nums}
.setup{display:grid;grid-template-columns:max-content 1fr;gap:4px 18px;margin:0;font-size:.9375rem}
.setup dt{color:var(--dim)}
.setup dd{margin:0}
.scroll{overflow-x:auto}
svg.dag{display:block;font-size:13px;margin-inline:auto}
.dag .w{fill:none;stroke:var(--calm);stroke-width:1.4}
.dag .a{fill:var(--calm)}
.dag rect{fill:var(--b);stroke:var(--c);stroke-width:1.2}
.dag text{fill:var(--ink);white-space:pre}
.dag .g{fill:var(--c)}
.dag .t{fill:var(--dim);font-size:12px}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{text-align:left;padding:6px 10px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child>*{border-bottom:0}
thead th,.gantt .ends{color:var(--dim);font-size:.8125rem;font-weight:600}
thead th{white-space:nowrap;overflow-wrap:normal}
tbody th{font-weight:600}
tfoot>tr>*{border-top:2px solid var(--line);font-weight:600}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.m{text-align:center}
.yes{color:var(--good);font-weight:700}
.no{color:var(--dim)}
.sub{display:block;color:var(--dim);font-weight:400;font-size:.875rem}
td.g{white-space:nowrap}
.plus{color:var(--good)}
.minus{color:var(--bad)}
.next{list-style:none;margin:0;padding:0}
.next li{padding:5px 0;display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline}
.next .about{color:var(--dim)}
.next .about:has(+li>code){color:inherit;margin-top:6px;font-weight:600}
.next code{font-size:.9375rem}
article{border-top:1px solid var(--line);padding:16px 0 4px}
article:first-of-type{border-top:0;padding-top:0}
article header{padding:0;display:flex;flex-wrap:wrap;gap:4px 10px;align-items:baseline}
.gap{border-left:3px solid var(--c);padding:2px 0 2px 12px;margin:.5rem 0}
.gap p{margin:.15rem 0}
ul.plain{margin:.3rem 0;padding-left:1.2rem}
details{margin:.35rem 0}
summary{cursor:pointer;padding:2px 0}
summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--busy);outline-offset:2px;border-radius:4px}
.gantt th.ends,.gantt td.t{width:98%}
.gantt tbody th,.gantt thead th:first-child{width:1%;padding-right:16px;white-space:nowrap;max-width:15rem;overflow:hidden;text-overflow:ellipsis;padding-block:4px}
.gantt td{padding-block:4px}
.gantt td.n{width:1%}
.gantt .ends span{float:left}
.gantt .ends span+span{float:right}
.track{position:relative;height:18px;background:var(--soft);border-radius:4px;overflow:hidden;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.track i{position:absolute;top:2px;bottom:2px;min-width:2px;border-radius:2px}
.track .z{top:0;bottom:0;border-radius:0;background:repeating-linear-gradient(135deg,var(--line) 0 3px,transparent 3px 7px)}
.k-work{background:var(--busy)}
.k-verify{background:var(--good)}
.k-parked{background:var(--warn);opacity:.55}
.key{display:flex;flex-wrap:wrap;gap:4px 18px;margin:.8rem 0 0}
.key i{display:inline-block;width:14px;height:10px;border-radius:2px;margin-right:6px}
.key .z{background:repeating-linear-gradient(135deg,var(--calm) 0 2px,transparent 2px 5px)}
@media(max-width:640px){
body>*{padding-inline:12px}
header{padding-top:18px}
h1{font-size:1.3rem}
.card{padding:14px}
.facts{grid-template-columns:1fr 1fr}
.setup{grid-template-columns:1fr;gap:0}
.setup dd{margin-bottom:8px}
.rows thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.rows,.rows tbody{display:block}
.rows tr{display:flex;flex-wrap:wrap;gap:2px 14px;padding:8px 0;border-bottom:1px solid var(--line)}
.rows tr:last-child{border:0}
.rows th,.rows td{border:0;padding:0;text-align:left}
.rows th{flex:1 1 100%}
.rows td:empty{display:none}
.rows td[data-l=status]::before{content:none!important}
.rows td[data-l]::before{content:attr(data-l) " ";color:var(--dim);font-size:.8125rem}
.gantt,.gantt tbody,.gantt thead{display:block}
.gantt tr{display:grid;grid-template-columns:1fr auto;border-bottom:1px solid var(--line);padding:6px 0}
.gantt tr>*{border:0;padding:0;width:auto!important;max-width:none}
.gantt td.t,.gantt .ends{grid-row:2;grid-column:1/3}
.gantt thead th:not(.ends){display:none}}
@media print{
:root{color-scheme:light;--bg:#fff}
body{font-size:10.5pt}
body>*{max-width:none;padding-inline:0}
.card,.facts div{border-color:#bbb;break-inside:avoid-page}
.scroll{overflow:visible}
svg.dag{max-width:100%;height:auto}
pre{max-height:none}
article,tr,.gap{break-inside:avoid}
h2,h3,h4{break-after:avoid}
details::details-content{content-visibility:visible!important;block-size:auto!important}}
`;

/** Goes with it into the page of a flow. */
export const FLOW_STYLE = `
.dag .b{fill:var(--b);stroke:var(--c);stroke-width:1.2}
.dag .e rect{stroke:none}
.dag .e text{font-size:12px;text-anchor:middle}
.dag .e.s-waiting text{fill:var(--dim)}
.key{margin-bottom:1rem;align-items:center}
.ways{list-style:none;margin:0;padding:0}
.ways .went{font-weight:600}
.steps td[data-l=state],.steps td[data-l=kind],.trail td[data-l=who]{white-space:nowrap}
.trail td[data-l=step]{min-width:7rem}
.steps td[data-l=exits]{min-width:14rem}
.trail td[data-l=ended]{white-space:nowrap;font-variant-numeric:tabular-nums}
.trail tbody th{font-variant-numeric:tabular-nums}
@media(max-width:640px){
.chart svg.dag{zoom:.72}
.steps td[data-l=state]::before,.steps td[data-l=kind]::before,.steps td[data-l=exits]::before{content:none!important}
.steps td[data-l=exits]{flex:1 1 100%;min-width:0}
.trail td[data-l=step]::before,.trail td[data-l^=what]::before,.trail td[data-l=who]::before{content:none!important}
.trail .rows th,.trail .rows td[data-l=step]{flex:0 1 auto;min-width:0}
.trail td[data-l^=what]{flex:1 1 100%}}
`;
