# Copyright The ctx-lsp authors. MIT licence.

"""Registers ctx-lsp with the package LSP. The program is the person's own: nothing is downloaded."""

from LSP.plugin import AbstractPlugin, register_plugin, unregister_plugin


class Ctx(AbstractPlugin):
    @classmethod
    def name(cls) -> str:
        return "ctx"

    @classmethod
    def configuration(cls):
        import sublime

        file = "LSP-ctx.sublime-settings"
        return sublime.load_settings(file), "Packages/LSP-ctx/" + file


def plugin_loaded() -> None:
    register_plugin(Ctx)


def plugin_unloaded() -> None:
    unregister_plugin(Ctx)
