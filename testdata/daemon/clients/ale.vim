" Copyright The ctx-lsp authors. MIT licence.

set nocompatible nomore shortmess=aoOtTIcF
set runtimepath+=/usr/share/vim-ale
for s:dir in glob('/usr/share/vim/addons', 0, 1) + glob('/usr/share/vim-scripts/ale', 0, 1) + glob('/usr/share/vim/vimfiles/pack/*/*/ale', 0, 1)
  execute 'set runtimepath+=' . s:dir
endfor
packadd! ale
let g:ale_linters_explicit = 1
let g:ale_linters = {'markdown': ['ctx']}
let g:ale_lint_delay = 50
let g:ale_echo_cursor = 0
let g:ale_hover_to_preview = 1
let g:ale_lsp_show_message_severity = 'information'
filetype plugin on
runtime plugin/ale.vim
call ale#linter#Define('markdown', {
\ 'name': 'ctx',
\ 'lsp': 'stdio',
\ 'executable': $CTX_LSP,
\ 'command': '%e serve',
\ 'project_root': {buffer -> getcwd()},
\ 'initialization_options': {'notify': {'level': 'soon'}},
\})
function! s:Report() abort
  if &filetype isnot# 'markdown' | return | endif
  call writefile(map(copy(ale#engine#GetLoclist(bufnr(''))), {_, d -> d.lnum . ' ' . get(d, 'code', '') . ' ' . d.text}), $ALE_RESULT)
endfunction
call timer_start(200, {-> s:Report()}, {'repeat': -1})
