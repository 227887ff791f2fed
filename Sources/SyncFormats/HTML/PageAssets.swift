// SPDX-License-Identifier: Apache-2.0

/// The fixed parts of the page of reports. Its policy allows no others: it names them by their digests.
package enum PageAssets {
  /// The policy of the page (Content Security Policy Level 3): nothing is requested from anywhere. The empty icon is in
  /// the page itself; without it browsers ask for one.
  package static let policy = """
    default-src 'none'; img-src data:; style-src '\(styleDigest)'; script-src '\(scriptDigest)'; base-uri 'none'; \
    form-action 'none'
    """

  /// The digest of `style` as a policy writes it.
  package static let styleDigest = "sha256-IKDLalFz8FMYpaRBsWFo5iGXjOu4GfwZ5ZYFqAE2fMk="
  /// The digest of `script`.
  package static let scriptDigest = "sha256-J0pUO1kySZphWui13b3DBRch71ba5AdFIKZF1Rl8Hg4="

  /// Colours have a contrast of at least 4.5 to 1 with their background (WCAG 2.2, 1.4.3).
  package static let style = """
    :root{color-scheme:light dark;--back:#fff;--text:#1d2025;--soft:#596068;--line:#d5d9de;--panel:#f5f6f8;\
    --bar:#2f6fb5;--good:#1b6e3c;--warn:#8a5300;--bad:#b3261e}
    @media (prefers-color-scheme:dark){:root{--back:#15181c;--text:#e5e8eb;--soft:#a3abb4;--line:#363c44;\
    --panel:#1e2328;--bar:#6aa8e8;--good:#6fcf97;--warn:#e5ad5b;--bad:#ff8a80}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}
    header,main,footer{max-width:72rem;margin:0 auto;padding:0 1rem}
    h1{font-size:1.6rem;margin:1.5rem 0 0}
    h2{font-size:1.2rem;margin:2rem 0 .5rem}
    p{margin:.4rem 0}
    nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.6rem 0;padding:0;list-style:none}
    a{color:var(--bar)}
    .soft,footer{color:var(--soft)}
    .good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
    .facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.6rem;margin:1rem 0}
    .facts div{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.5rem .7rem}
    .facts dt{color:var(--soft);font-size:.85rem}
    .facts dd{margin:0;font-size:1.15rem;overflow-wrap:anywhere}
    .scroll{overflow-x:auto;margin:.5rem 0 1.2rem}
    figure{margin:1rem 0}
    table{border-collapse:collapse;width:100%}
    caption{text-align:start;color:var(--soft);padding:.2rem 0}
    caption span{display:inline-block;position:sticky;left:0;max-width:calc(100vw - 3rem)}
    th,td{text-align:start;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--line)}
    th{font-weight:600;white-space:nowrap}
    .number{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}
    .bars{white-space:nowrap}.bars span{display:inline-block;min-width:3.5ch}
    .time{white-space:nowrap;font-variant-numeric:tabular-nums}
    .long{overflow-wrap:anywhere;min-width:12rem}
    .part,#all .scroll{content-visibility:auto;contain-intrinsic-size:auto 60rem}
    #all table{table-layout:fixed;min-width:56rem}
    #all td{overflow-wrap:anywhere}
    #all th:nth-child(1){width:8rem}#all th:nth-child(3){width:9rem}
    #all th:nth-child(4){width:6rem}#all th:nth-child(5){width:7rem}
    svg{display:block;max-width:100%}
    td svg{display:inline-block;margin-inline-start:.5rem}
    svg text{fill:var(--soft);font-size:12px}
    .bar{fill:var(--bar)}.rest{fill:var(--line)}
    .limit{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:6 4}
    .axis{stroke:var(--line)}
    label{display:block;margin:.5rem 0}
    input{font:inherit;color:inherit;background:var(--back);border:1px solid var(--soft);border-radius:.3rem;\
    padding:.3rem .5rem;width:100%;max-width:24rem;display:block}
    :focus-visible{outline:3px solid var(--bar);outline-offset:2px}
    footer{padding:2rem 1rem;font-size:.85rem}
    @media print{:root{--back:#fff;--text:#000;--soft:#444;--line:#bbb;--panel:#fff;--bar:#444;--good:#000;--warn:#000;\
    --bad:#000}nav,label,#found{display:none}.part,#all .scroll{content-visibility:visible}.scroll{overflow:visible}\
    #all table{min-width:0}\
    section{break-inside:avoid-page}#all{break-inside:auto}tr{break-inside:avoid}thead{display:table-header-group}}
    """

  /// Shows the field for searching, and hides the rows that do not hold all of its words, and tables without a row.
  package static let script = """
    (function(){
      "use strict";
      var field=document.getElementById("search"),found=document.getElementById("found");
      if(!field){return;}
      var tables=Array.prototype.slice.call(document.querySelectorAll("#all .scroll")),rows=[],texts=null,timer=0;
      tables.forEach(function(table){rows=rows.concat(Array.prototype.slice.call(table.querySelectorAll("tbody tr")));});
      function search(){
        texts=texts||rows.map(function(row){
          return (row.closest("table").caption.textContent+" "+row.textContent).toLowerCase();
        });
        var words=field.value.toLowerCase().split(/\\s+/).filter(Boolean),count=0;
        rows.forEach(function(row,index){
          var fits=words.every(function(word){return texts[index].indexOf(word)>=0;});
          if(row.hidden===fits){row.hidden=!fits;}
          if(fits){count+=1;}
        });
        tables.forEach(function(table){table.hidden=!table.querySelector("tbody tr:not([hidden])");});
        found.textContent=words.length?count+" of "+rows.length+" shown":"";
      }
      field.parentNode.hidden=false;
      field.addEventListener("input",function(){clearTimeout(timer);timer=setTimeout(search,120);});
    }());
    """
}
