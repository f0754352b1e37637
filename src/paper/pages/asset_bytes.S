/* Style and script of pages, from their symbol to that with _end. */
	.section .rodata

	.globl kb_page_css, kb_page_css_end
	.hidden kb_page_css, kb_page_css_end
kb_page_css:
	.incbin "src/paper/pages/page.css"
kb_page_css_end:
	.byte 0

	.globl kb_chart_css, kb_chart_css_end
	.hidden kb_chart_css, kb_chart_css_end
kb_chart_css:
	.incbin "src/paper/pages/chart.css"
kb_chart_css_end:
	.byte 0

	.globl kb_page_js, kb_page_js_end
	.hidden kb_page_js, kb_page_js_end
kb_page_js:
	.incbin "src/paper/pages/page.js"
kb_page_js_end:
	.byte 0

	.section .note.GNU-stack, "", %progbits
