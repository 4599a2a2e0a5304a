-- Copyright The ctx-lsp authors. MIT licence.

--- The language features in prompt files, provided by Neovim's own client: code lenses, inlay hints, hover and
--- diagnostics.
local api = vim.api
local client = require('ctx.client')

local M = {}

---@type vim.regex[]?
local patterns

--- Reports whether a buffer shows a file that agents read as instructions.
---@param buffer integer
---@return boolean
function M.is_prompt_file(buffer)
  local name = api.nvim_buf_get_name(buffer)
  if name == '' or vim.bo[buffer].buftype ~= '' then
    return false
  end
  if not patterns then
    patterns = vim.tbl_map(function(pattern)
      return vim.regex(vim.fn.glob2regpat(pattern))
    end, require('ctx.config').get().prompt_files)
  end
  local tail = vim.fn.fnamemodify(name, ':t')
  for i, pattern in ipairs(require('ctx.config').get().prompt_files) do
    -- As in autocommands, a pattern without a slash is compared only with the file's name.
    if patterns[i]:match_str(pattern:find('/', 1, true) and name or tail) then
      return true
    end
  end
  return false
end

--- Activates the language client only in prompt files.
---@param buffer integer
---@param on_dir fun(root: string)
function M.root_dir(buffer, on_dir)
  if M.is_prompt_file(buffer) then
    on_dir(client.cwd())
  end
end

local function attach(buffer)
  local id = client.server().id
  if client.server().state ~= 'ready' or not id or not M.is_prompt_file(buffer) then
    return
  end
  if not client.full then
    require('ctx.notify').once('the statusline works; hints in prompt files need Neovim 0.10 or later')
    return
  end
  vim.lsp.buf_attach_client(buffer, id)
end

--- Enables the features that the options ask for, in a buffer with the server attached.
---@param buffer integer
local function enable(buffer)
  local options = require('ctx.config').get().inline
  if options.inlay_hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  if not options.codelens then
    return
  end
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  local function refresh()
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
  refresh()
  api.nvim_create_autocmd({ 'InsertLeave', 'TextChanged', 'BufWritePost' }, {
    group = api.nvim_create_augroup('ctx_codelens_' .. buffer, {}),
    buffer = buffer,
    callback = refresh,
  })
end

--- Runs the command of a code lens: shows the breakdown of a prompt file.
---@param command { command: string, arguments: any[] }
function M.breakdown(command)
  local params = { command = command.command, arguments = command.arguments }
  client.request('workspace/executeCommand', params, function(problem, markdown)
    if problem or type(markdown) ~= 'string' then
      local why = problem or 'the server has no information about this file'
      return require('ctx.notify').show(why, vim.log.levels.WARN)
    end
    local lines = vim.split(markdown, '\n', { plain = true, trimempty = true })
    vim.lsp.util.open_floating_preview(lines, 'markdown', {
      border = require('ctx.config').get().float.border,
      max_width = require('ctx.config').get().float.width,
      focus_id = 'ctx_breakdown',
    })
  end)
end

--- Requests the server's data about prompt files again, because the server reports that it is outdated.
---@param method string the server's refresh request
function M.again(method)
  local id = client.server().id
  local options = require('ctx.config').get().inline
  for _, buffer in ipairs(api.nvim_list_bufs()) do
    if id and api.nvim_buf_is_loaded(buffer) and vim.lsp.buf_is_attached(buffer, id) then
      if method == 'workspace/inlayHint/refresh' and options.inlay_hints then
        -- Requesting the hints again does not remove the drawn ones; disabling them does.
        if vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }) then
          vim.lsp.inlay_hint.enable(false, { bufnr = buffer })
          vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
        end
      elseif method == 'workspace/codeLens/refresh' and options.codelens and not vim.lsp.codelens.enable then
        vim.lsp.codelens.refresh({ bufnr = buffer })
      elseif method == 'workspace/diagnostic/refresh' and vim.fn.has('nvim-0.11') == 0 then
        vim.lsp.buf_request(buffer, 'textDocument/diagnostic', {
          textDocument = vim.lsp.util.make_text_document_params(buffer),
        })
      end
    end
  end
end

--- Starts following the editor.
function M.follow()
  local group = api.nvim_create_augroup('ctx_inline', {})
  -- With vim.lsp.enable, the client attaches itself to buffers with a file type, but some prompt files have none.
  api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile', 'BufFilePost' }, {
    group = group,
    callback = function(args)
      attach(args.buf)
    end,
  })
  if client.full then
    api.nvim_create_autocmd('LspAttach', {
      group = group,
      callback = function(args)
        if args.data.client_id == client.server().id then
          enable(args.buf)
        end
      end,
    })
  end
  client.when_ready(function()
    local id = client.server().id
    if vim.lsp.enable then
      vim.lsp.enable('ctx')
    end
    for _, buffer in ipairs(api.nvim_list_bufs()) do
      if api.nvim_buf_is_loaded(buffer) then
        if client.full and vim.lsp.buf_is_attached(buffer, id) then
          enable(buffer)
        else
          attach(buffer)
        end
      end
    end
  end)
end

return M
