"""Sets the same text with WeasyPrint and Typst as PDF/UA and prints their times.

Reads {"rounds": n, "documents": [[{"title", "severity", "text"}, …], …]} and answers
{"weasyprint": {"1": seconds, …}, "typst": {…}}, each the median of the rounds.
"""

import html
import json
import statistics
import sys
import time

import typst
import weasyprint


def with_weasyprint(findings):
    rows = "".join(
        f"<tr><th scope=row>{html.escape(one['title'])}</th><td>{one['severity']}</td></tr>" for one in findings
    )
    details = "".join(
        f"<h2>{html.escape(one['title'])}</h2><p>{one['severity']}</p>"
        "<dl><dt>Owner</dt><dd>Anna Weber</dd><dt>Due on</dt><dd>2026-12-31</dd></dl>"
        f"<p>{html.escape(one['text'])}</p>"
        for one in findings
    )
    page = (
        "<html lang=en><title>Open findings</title><style>@page{size:A4;margin:2cm}</style>"
        f"<h1>Overview</h1><table><thead><tr><th>Title<th>Severity</thead>{rows}</table>"
        f"<h1>Findings</h1>{details}</html>"
    )
    return weasyprint.HTML(string=page).write_pdf(pdf_variant="pdf/ua-1")


def with_typst(findings):
    rows = "".join(f"[{one['title']}], [{one['severity']}],\n" for one in findings)
    details = "".join(
        f"== {one['title']}\n{one['severity']}\n\n/ Owner: Anna Weber\n/ Due on: 2026-12-31\n\n{one['text']}\n\n"
        for one in findings
    )
    text = (
        '#set document(title: "Open findings")\n#set text(lang: "en")\n#set page("a4")\n'
        f"= Overview\n#table(columns: (3fr, 1fr), table.header([Title], [Severity]),\n{rows})\n= Findings\n{details}"
    )
    return typst.Compiler(text.encode(), font_paths=FONTS).compile(format="pdf", pdf_standards=["ua-1"])


def seconds(work, findings, rounds):
    """The median time of the rounds. Each has other text, because Typst keeps the layout of text it has seen."""
    times = []
    for round in range(rounds + 1):
        other = [{**one, "title": f"{one['title']} ({round})", "text": f"{one['text']} ({round})"} for one in findings]
        began = time.perf_counter()
        work(other)
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


def main():
    task = json.load(sys.stdin)
    times = {
        work.__name__.removeprefix("with_"): {
            str(len(findings)): seconds(work, findings, task["rounds"]) for findings in task["documents"]
        }
        for work in (with_weasyprint, with_typst)
    }
    json.dump(times, sys.stdout)


FONTS = typst.Fonts()
main()
