// Copyright The ctx-lsp authors. MIT licence.

//! Starts `ctx-lsp serve --shared` for Markdown, with the settings that stand under `lsp.ctx`.

use zed_extension_api::{self as zed, serde_json, settings::LspSettings, LanguageServerId, Result};

struct Ctx;

impl zed::Extension for Ctx {
    fn new() -> Self {
        Ctx
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &zed::Worktree) -> Result<zed::Command> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree).ok();
        let binary = settings.and_then(|settings| settings.binary);
        let arguments = binary.as_ref().and_then(|binary| binary.arguments.clone());
        // Nothing is downloaded unasked: the program is the person's own.
        let command = binary
            .and_then(|binary| binary.path)
            .or_else(|| worktree.which("ctx-lsp"))
            .ok_or("ctx-lsp is not on the PATH: install it with `go install github.com/ctx-lsp/ctx-lsp/cmd/ctx-lsp@latest`")?;
        Ok(zed::Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["serve".into(), "--shared".into()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|settings| settings.initialization_options))
    }
}

zed::register_extension!(Ctx);
